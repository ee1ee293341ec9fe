import { writeFileSync } from 'node:fs'

/** A value of a GGUF file's metadata. Numbers are unsigned integers of 32 bits, unless they are marked. */
export type GgufValue =
  | string
  | boolean
  | number
  | { readonly float: number }
  | readonly string[]
  | { readonly integers: readonly number[] }

export interface GgufTensor {
  readonly name: string
  /** The innermost first: a matrix is [columns, rows]. */
  readonly shape: readonly number[]
  readonly values: Float32Array
}

const VERSION = 3
const ALIGNMENT = 32
const TYPES = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const
const F32 = 0
const F16 = 1

/** Writes a model file of format GGUF: vectors in 32 bits, as the engine wants them, and matrices in 16. */
export function writeGguf(
  path: string,
  metadata: Readonly<Record<string, GgufValue>>,
  tensors: readonly GgufTensor[],
): void {
  const blocks = tensors.map(encodeTensor)
  let offset = 0
  const infos = tensors.map((tensor, index) => {
    const info = [
      string(tensor.name),
      uint32(tensor.shape.length),
      ...tensor.shape.map(uint64),
      uint32(typeOf(tensor)),
      uint64(offset),
    ]
    offset += blocks[index]?.length ?? 0
    return Buffer.concat(info)
  })
  const entries = Object.entries(metadata)
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    uint32(VERSION),
    uint64(tensors.length),
    uint64(entries.length),
    ...entries.flatMap(([key, value]) => [string(key), encodeValue(value)]),
    ...infos,
  ])
  writeFileSync(path, Buffer.concat([pad(head), ...blocks]))
}

function typeOf({ shape }: GgufTensor): number {
  return shape.length === 1 ? F32 : F16
}

function encodeTensor(tensor: GgufTensor): Buffer {
  const values = typeOf(tensor) === F32 ? tensor.values : new Float16Array(tensor.values)
  return pad(Buffer.from(values.buffer, values.byteOffset, values.byteLength))
}

function encodeValue(value: GgufValue): Buffer {
  if (typeof value === 'string') return Buffer.concat([uint32(TYPES.string), string(value)])
  if (typeof value === 'boolean') {
    return Buffer.concat([uint32(TYPES.bool), Buffer.from([value ? 1 : 0])])
  }
  if (typeof value === 'number') return Buffer.concat([uint32(TYPES.uint32), uint32(value)])
  if ('float' in value) {
    return Buffer.concat([
      uint32(TYPES.float32),
      Buffer.from(new Float32Array([value.float]).buffer),
    ])
  }
  if ('integers' in value) {
    const items = Buffer.from(new Int32Array(value.integers).buffer)
    return Buffer.concat([arrayHead(TYPES.int32, value.integers.length), items])
  }
  return Buffer.concat([arrayHead(TYPES.string, value.length), ...value.map(string)])
}

function arrayHead(type: number, length: number): Buffer {
  return Buffer.concat([uint32(TYPES.array), uint32(type), uint64(length)])
}

function string(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([uint64(bytes.length), bytes])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function pad(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & (ALIGNMENT - 1))])
}
