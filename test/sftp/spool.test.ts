import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { openSpool, type SpooledFile } from '../../sftp/spool.ts'
import { writtenRanges } from '../../sftp/writtenRanges.ts'
import type { SharedLimit } from '../../src/config/index.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'

let folder: TemporaryFolder
const files: SpooledFile[] = []
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(async () => {
  for (const file of files) await file.close()
  await folder.remove()
})
const spoolOf = (bytes: SharedLimit, sellers: number) => {
  const spool = openSpool(folder.path, bytes, sellers)
  return async (seller: string, max = MANY) => {
    const file = await spool.create(seller, max)
    files.push(file)
    return file
  }
}

const MANY = 10_000
const MIB = 1_024 * 1_024

describe('the spool', () => {
  it('takes nothing from others for a size that is only stated, or an offset far away', async () => {
    const create = spoolOf({ perTenant: 100, total: 100 }, 2)
    const [stated, far, other] = await Promise.all(['cable', 'cable', 'station'].map((seller) => create(seller)))
    await stated?.truncate(MANY)
    await far?.write(MANY - 1, Buffer.from('x'))
    expect([stated?.size, far?.size, far?.isWhole]).toEqual([MANY, MANY, false])
    await other?.write(0, Buffer.alloc(74))
  })

  it('leaves every seller its share, however much the others hold', async () => {
    const create = spoolOf({ perTenant: 200, total: 800 }, 8)
    for (const seller of ['a', 'b', 'c', 'd']) {
      const file = await create(seller)
      for (let at = 0; at < 200; at += 10) await file.write(at, Buffer.alloc(10)).catch(() => undefined)
    }
    const late = await create('e')
    await late.write(0, Buffer.alloc(50))
    await expect(late.write(50, Buffer.alloc(1))).rejects.toThrow('of yours it always takes 50 bytes at once')
  })

  it('counts what is written twice once, and gives back what is cut off or closed', async () => {
    const create = spoolOf({ perTenant: 100, total: 1_000 }, 2)
    const file = await create('cable')
    for (let time = 0; time < 3; time++) await file.write(0, Buffer.alloc(80))
    await file.truncate(10)
    await file.write(10, Buffer.alloc(90))
    expect(file.isWhole).toBe(true)
    const next = await create('cable')
    await expect(next.write(0, Buffer.alloc(1))).rejects.toThrow('The bound of 100 bytes')
    await file.close()
    await next.write(0, Buffer.alloc(100))
  })

  it('counts what pieces take on the disk, and refuses a file in too many', async () => {
    const file = await spoolOf({ perTenant: 10 * MIB, total: 10 * MIB }, 1)('cable', 64 * MIB)
    const write = async (pieces: number, apart: number) => {
      for (let piece = 0; piece < pieces; piece++) await file.write(piece * apart, Buffer.alloc(1))
    }
    await expect(write(2_000, 16_384)).rejects.toThrow(`The bound of ${10 * MIB} bytes`)
    await file.truncate(0)
    await expect(write(20_001, 2)).rejects.toThrow('too many pieces')
  })
})

describe('written ranges', () => {
  it('are those of a set of bytes', () => {
    const step = fc.oneof(fc.record({ from: fc.nat(30), length: fc.nat(10) }), fc.record({ size: fc.nat(30) }))
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const ranges = writtenRanges()
        let model = new Set<number>()
        for (const one of steps) {
          if ('size' in one) {
            model = new Set([...model].filter((at) => at < one.size))
            ranges.cut(one.size)
          } else {
            for (let at = 0; at < one.length; at++) model.add(one.from + at)
            ranges.add(one.from, one.from + one.length)
          }
          expect(ranges.count).toBe([...model].filter((at) => !model.has(at - 1)).length)
          expect(ranges.bytes).toBe(model.size)
        }
      }),
    )
  })
})
