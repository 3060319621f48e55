import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ByteBudget, byteBudget } from '../../api/http/byteBudget.ts'
import { AHEAD_BYTES, readAhead } from '../../api/http/readAhead.ts'
import { openSpoolFile } from '../../api/http/spoolFile.ts'
import { temporaryFolder } from '../support/files/temporaryFolder.ts'
import { until } from '../support/until.ts'

const KIB = 1024
let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder.remove())

/** Forty texts of 64 KiB of one letter each, with how many were yielded and whether the source has ended. */
function source(fails = false): { seen: { yielded: number; isEnded: boolean }; texts: AsyncGenerator<string> } {
  const seen = { yielded: 0, isEnded: false }
  async function* texts(): AsyncGenerator<string> {
    try {
      for (let at = 0; at < 40; at += 1) {
        await sleep(1)
        seen.yielded += 1
        yield String.fromCharCode(97 + (at % 26)).repeat(64 * KIB)
      }
      if (fails) throw new Error('the database went away')
    } finally {
      seen.isEnded = true
    }
  }
  return { seen, texts: texts() }
}

function reading(texts: AsyncGenerator<string>, patienceMs: number, all = 64 * KIB * KIB) {
  const used = { memory: 0, max: 0, files: 0 }
  const bytes: ByteBudget = byteBudget('bytes of a test', { perTenant: all, total: all })
  const chunks = readAhead(texts, {
    hold(size) {
      used.memory += size
      used.max = Math.max(used.max, used.memory)
      return {
        grow() {},
        release() {
          used.memory -= size
        },
      }
    },
    spool: () => {
      used.files += 1
      return openSpoolFile(folder.path, bytes.count('acme', 0))
    },
    patienceMs,
  })
  return { used, chunks, bytes }
}

async function whole(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts).toString()
}
const EXPECTED = Array.from({ length: 40 }, (_, at) => String.fromCharCode(97 + (at % 26)).repeat(64 * KIB)).join('')

describe('readAhead', () => {
  it('returns everything in order, and needs no file for a reader that keeps up', async () => {
    const { used, chunks } = reading(source().texts, 60_000)
    expect(EXPECTED.localeCompare(await whole(chunks))).toBe(0)
    expect(used).toMatchObject({ memory: 0, files: 0 })
    expect(used.max).toBeLessThanOrEqual(AHEAD_BYTES + 64 * KIB)
  })

  it('lets the source finish when its reader stalls, holds no more in memory, and loses nothing', async () => {
    const { seen, texts } = source()
    const { used, chunks } = reading(texts, 50)
    const first = await chunks.next()
    await until(() => seen.isEnded)
    expect(seen).toEqual({ yielded: 40, isEnded: true })
    const rest = await whole(chunks)
    expect(`${Buffer.from(first.value as Uint8Array)}${rest}` === EXPECTED).toBe(true)
    expect(used).toMatchObject({ memory: 0, files: 1 })
    expect(used.max).toBeLessThanOrEqual(AHEAD_BYTES + 64 * KIB)
  })

  it.each([0, 60_000])('ends the source and releases everything when its reader leaves, with a patience of %i ms', async (patience) => {
    const { seen, texts } = source()
    const { used, chunks, bytes } = reading(texts, patience, 10 * 64 * KIB)
    await chunks.next()
    await until(() => seen.yielded > 3)
    await chunks.return(undefined)
    expect(seen.isEnded).toBe(true)
    expect(used.memory).toBe(0)
    bytes.reserve('acme', 10 * 64 * KIB)
  })

  it('fails where its source failed, after everything before that', async () => {
    const { chunks } = reading(source(true).texts, 0)
    let read = 0
    const all = async () => {
      for await (const chunk of chunks) read += chunk.length
    }
    await expect(all()).rejects.toThrow('the database went away')
    expect(read).toBe(EXPECTED.length)
  })

  it('fails when the disk quota is used up', async () => {
    const { seen, texts } = source()
    const { chunks } = reading(texts, 0, 64 * KIB)
    await chunks.next()
    await until(() => seen.isEnded)
    await expect(whole(chunks)).rejects.toThrow('bytes of a test')
  })
})
