import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** What JavaScript holds in bytes, in its heap and outside of it, once what nobody needs is gone. */
export function measureHeld(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
