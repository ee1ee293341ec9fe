import { dirname, join, relative, sep } from 'node:path/posix'
import { sep as nativeSep } from 'node:path'

/** `types`: only by `import type`. `dynamic`: only by `import()`, where it is needed, or its types. */
export type Arrow = string | { readonly to: string; readonly only: 'types' | 'dynamic' }

/** Who may import whom. What is not here is not allowed; ARCHITECTURE.md says why. */
export const arrows: Readonly<Record<string, readonly Arrow[] | 'everything'>> = {
  main: [{ to: 'serve', only: 'dynamic' }],
  serve: ['ops', 'app', 'config', 'describe-start', 'reload', 'platform', 'identity', 'models'],
  reload: ['config', 'platform', { to: 'app', only: 'types' }],
  'describe-start': [
    { to: 'config', only: 'types' },
    { to: 'models', only: 'types' },
  ],
  app: 'everything',
  'prepare-payments': ['payment-config', 'accounts', 'ledger', 'payments', 'platform'],
  config: [
    'drain-config',
    'model-config',
    'payment-config',
    'platform',
    { to: 'models', only: 'types' },
    { to: 'payments', only: 'types' },
  ],
  'drain-config': [{ to: 'config', only: 'types' }],
  'model-config': ['config', 'models', 'platform'],
  'payment-config': ['config', 'platform', { to: 'payments', only: 'types' }],
  tables: ['accounts', 'ledger', 'models', 'gate', 'identity', 'payments', 'alerts', 'platform'],
  move: ['tables', 'ledger', 'gate', 'platform'],
  doctor: [
    'config',
    'tables',
    'models',
    'ledger',
    'platform',
    { to: 'payments', only: 'types' },
    { to: 'api/contract', only: 'types' },
  ],
  backup: ['tables', 'ledger', 'platform'],
  cli: [
    'platform',
    'api/contract',
    'config',
    'client',
    { to: 'serve', only: 'dynamic' },
    { to: 'move', only: 'dynamic' },
    { to: 'doctor', only: 'dynamic' },
    { to: 'backup', only: 'dynamic' },
  ],
  api: [
    'chat',
    'accounts',
    'ledger',
    'models',
    'gate',
    'identity',
    'payments',
    'alerts',
    'platform',
  ],
  chat: ['models', 'gate', 'ledger', 'platform'],
  identity: ['accounts', 'platform'],
  payments: ['accounts', 'ledger', 'platform'],
  alerts: ['accounts', 'ledger', 'platform'],
  ops: [
    { to: 'chat', only: 'types' },
    { to: 'gate', only: 'types' },
    { to: 'ledger', only: 'types' },
    'models',
    'platform',
  ],
  accounts: ['ledger', 'platform'],
  models: ['platform'],
  gate: ['platform'],
  ledger: ['platform'],
  platform: [],
  web: ['client', { to: 'api/contract', only: 'types' }],
  client: [],
}

/** Rooms of one file: they are their own door. */
const singleFiles = [
  'main',
  'serve',
  'app',
  'config',
  'describe-start',
  'drain-config',
  'model-config',
  'payment-config',
  'prepare-payments',
  'reload',
  'tables',
]
/** A door inside a room, for those who may know the contract but not the server behind it. */
const subDoors = ['api/contract']
/** A room that is a package of its own, entered under its name. */
const packageDoors: Readonly<Record<string, string>> = { client: 'parley-client' }
/** Belongs to no room: the version is read from here. */
const roomless = ['package.json']

type ImportKind = 'value' | 'types' | 'dynamic'

interface Import {
  /** Paths from the top of the repository, with forward slashes. */
  readonly from: string
  readonly to: string
  readonly specifier: string
  readonly kind: ImportKind
}

/** An ESLint rule: each import of a file in src/, web/ or client/ follows an arrow and enters by a door. */
export const roomArrows = {
  meta: { type: 'problem', docs: { description: 'Rooms are entered by their door, along arrows' } },
  create(context: Context): Record<string, (node: ImportNode) => void> {
    const from = relative(toPosix(context.cwd), toPosix(context.filename))
    if (roomOf(from) === undefined) return {}
    const check = (node: ImportNode, kind: ImportKind): void => {
      const specifier = node.source?.value
      if (typeof specifier !== 'string') return
      const to = resolveSpecifier(from, specifier)
      const message = to && judgeImport({ from, to, specifier, kind })
      if (message) context.report({ node, message })
    }
    const checkStatic = (node: ImportNode): void =>
      check(node, (node.importKind ?? node.exportKind) === 'type' ? 'types' : 'value')
    return {
      ImportDeclaration: checkStatic,
      ExportNamedDeclaration: checkStatic,
      ExportAllDeclaration: checkStatic,
      ImportExpression: (node) => check(node, 'dynamic'),
      TSImportType: (node) => check(node, 'types'),
      NewExpression: (node) => checkModuleUrl(context, from, node),
    }
  },
}

export default { meta: { name: 'rooms' }, rules: { arrows: roomArrows } }

function judgeImport(wanted: Import): string | undefined {
  const { from, to, specifier } = wanted
  if (roomless.includes(to)) return undefined
  const room = roomOf(from)
  const isTest = from.endsWith('.test.ts') || from.endsWith('.test.tsx')
  if (isTest && to.startsWith('test/support/')) return undefined

  const target = targetOf(to)
  if (target === undefined) {
    return `'${specifier}' is outside src: production code imports only rooms and packages.`
  }
  if (target === room || to.startsWith(`src/${room}/`)) return undefined
  if (isTest && target === 'platform' && specifier.startsWith('#')) return undefined
  return (
    judgeArrow(wanted, room ?? '', target) ??
    judgeEscape(wanted, room ?? '', target) ??
    judgeDoor(wanted, target)
  )
}

function judgeArrow(wanted: Import, room: string, target: string): string | undefined {
  const allowed = arrows[room]
  if (arrows[target] === undefined && !subDoors.includes(target)) {
    return `There is no room '${target}': name it and its arrows in lint/room-arrows.ts first.`
  }
  if (allowed === 'everything') return undefined
  const names = (allowed ?? []).map((arrow) => (typeof arrow === 'string' ? arrow : arrow.to))
  const arrow = allowed?.[names.indexOf(target)]
  if (arrow === undefined) {
    const list = names.length > 0 ? names.join(', ') : 'nothing'
    return `'${room}' may not import '${target}' (only: ${list}). Pass what you need in from app.ts, or move this code to a room that has the arrow.`
  }
  // Types load nothing.
  if (typeof arrow === 'string' || wanted.kind === 'types' || arrow.only === wanted.kind) {
    return undefined
  }
  return arrow.only === 'types'
    ? `'${room}' may import only types from '${target}': write 'import type'.`
    : `'${room}' may import '${target}' only where it is needed: write 'await import(…)'.`
}

/** In src/ itself the single files lie beside each other: `main.ts` imports './app.ts'. */
function judgeEscape({ from, to, specifier }: Import, room: string, target: string) {
  const lieTogether = dirname(from) === 'src' && dirname(to) === 'src'
  if (!specifier.startsWith('.') || lieTogether) return undefined
  return `'${specifier}' leaves the room '${room}': write '${doorOf(target, to)}'.`
}

function judgeDoor({ to, specifier }: Import, target: string): string | undefined {
  const door = doorOf(target, to)
  if (singleFiles.includes(target) || specifier === door) return undefined
  return `'${specifier}' goes past the door of '${target}': import from '${door}' and let the door export what you need.`
}

/** Platform is a room of small tools: each of its files, and each folder's index, is a door. */
function doorOf(target: string, to: string): string {
  const packageDoor = packageDoors[target]
  if (packageDoor !== undefined) return packageDoor
  if (singleFiles.includes(target)) return `#${target}.ts`
  if (target !== 'platform') return `#${target}/index.ts`
  const [, , first = 'index.ts', second] = to.split('/')
  return second === undefined ? `#platform/${first}` : `#platform/${first}/index.ts`
}

/** `src/ledger/queries.ts` is in 'ledger', `src/main.ts` in 'main', `test/x.ts` in none. */
function roomOf(path: string): string | undefined {
  const [top, first] = path.split('/')
  if (top === 'web' || top === 'client') return top
  return top === 'src' ? first?.replace(/(\.test)?\.tsx?$/, '') : undefined
}

/** What is entered: a room, or a sub-door of it. */
function targetOf(to: string): string | undefined {
  return subDoors.find((door) => to.startsWith(`src/${door}/`)) ?? roomOf(to)
}

/** The path a specifier means; undefined for others' packages, which are not this rule's business. */
function resolveSpecifier(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(from), specifier)
  const [room] = Object.entries(packageDoors).find(([, door]) => door === specifier) ?? []
  if (room !== undefined) return `${room}/src/index.ts`
  return specifier.startsWith('#') ? join('src', specifier.slice(1)) : undefined
}

/** A worker's `new URL('./x.ts', import.meta.url)` is an import too: it stays in its room. */
function checkModuleUrl(context: Context, from: string, node: ImportNode): void {
  const [path, base] = node.arguments ?? []
  if (node.callee?.name !== 'URL' || base?.type !== 'MemberExpression') return
  if (typeof path?.value !== 'string' || !/^\..*\.tsx?$/.test(path.value)) return
  const room = roomOf(from)
  const to = join(dirname(from), path.value)
  if (roomOf(to) === room) return
  context.report({
    node,
    message: `'${path.value}' leaves the room '${room}': ask its owner's door.`,
  })
}

function toPosix(path: string): string {
  return path.replaceAll(nativeSep, sep)
}

/** What this rule uses of the linter's context and nodes; the linter exports no such types. */
interface Context {
  readonly cwd: string
  readonly filename: string
  report(problem: { readonly node: ImportNode; readonly message: string }): void
}

interface ImportNode {
  readonly type: string
  readonly source?: { readonly value?: unknown } | null
  readonly importKind?: string
  readonly exportKind?: string
  readonly callee?: { readonly name?: string }
  readonly arguments?: readonly { readonly type: string; readonly value?: unknown }[]
}
