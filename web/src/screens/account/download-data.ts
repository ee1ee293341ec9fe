import { readProblem, send, type Asked } from '../../api/client.ts'
import { saveFile } from '../../format/save-file.ts'

const EXPORT: Asked = 'post /console/api/person/export'

/** As a file, not as an object: of a large account it is more than a page should hold. */
export async function downloadData(password: string | undefined): Promise<void> {
  const [, path = ''] = EXPORT.split(' ')
  const response = await send(path, {
    method: 'POST',
    body: JSON.stringify(password === undefined ? {} : { password }),
    headers: { 'content-type': 'application/json' },
  })
  if (!response.ok) throw await readProblem(response)
  const named = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')
  saveFile(await response.blob(), named?.[1] ?? 'parley-personal-data.json')
}
