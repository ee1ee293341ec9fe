/** Every "METHOD /path" of a tree of routes as the server prints it: indented by four a level. */
export function listRoutes(tree: string): string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', piece = '', methods] = /^(.*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? []
    if (piece === '') return []
    above.splice(indent.length / 4, Infinity, piece)
    return (methods?.split(', ') ?? []).map((method) => `${method} ${above.join('')}`)
  })
}
