import { crc32, deflateRawSync } from 'node:zlib'
import { checkZip } from '../../../src/adapters/files/zipLimits.ts'

/** Returns a zip container of these parts, deflated. `claims` is a false inflated size of a part for its directory, if any. */
export function zipOf(parts: Readonly<Record<string, Uint8Array | string>>, claims?: number): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content as Uint8Array)
    const packed = deflateRawSync(bytes)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(8, 4)
    shared.writeUInt32LE(crc32(bytes), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(claims ?? bytes.length, 18)
    shared.writeUInt16LE(name.length, 22)
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, place, Buffer.from(name)]))
    files.push(file)
    offset += file.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, listed, end])
}

/** Returns the inflated parts of a zip container. */
export async function partsOf(bytes: Buffer): Promise<Map<string, Buffer>> {
  const chunks = new Map<string, Buffer[]>()
  await checkZip(bytes, { parts: 1_000, inflatedBytes: 64 * 1024 * 1024, ratio: 1_000 }, (name) => {
    const own: Buffer[] = []
    chunks.set(name, own)
    return (chunk) => own.push(chunk)
  })
  return new Map([...chunks].map(([name, own]) => [name, Buffer.concat(own)]))
}
