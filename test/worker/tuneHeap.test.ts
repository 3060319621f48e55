import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from '@jest/globals'
import { withSmallYoungGenerations } from '../../worker/tuneHeap.ts'

const MIB = 1024 * 1024

/** Returns the bytes that the heap of a new thread may have, of which three times a half of its young generation are part. */
async function limitOfThread(): Promise<number> {
  const source = `require('node:worker_threads').parentPort.postMessage(require('node:v8').getHeapStatistics().heap_size_limit)`
  const [bytes] = await once(new Worker(source, { eval: true }), 'message')
  return bytes
}

describe('threads that start with small young generations', () => {
  it('have 4 MiB where later ones have at least 16', async () => {
    const [usual, small] = [await limitOfThread(), await withSmallYoungGenerations(limitOfThread)]
    expect((usual - small) / MIB).toBeGreaterThanOrEqual(3 * (16 - 4))
    expect(await limitOfThread()).toBe(usual)
  })

  it('leave later ones as they were if their start fails', async () => {
    const usual = await limitOfThread()
    await expect(withSmallYoungGenerations(() => Promise.reject(new Error('none')))).rejects.toThrow('none')
    expect(await limitOfThread()).toBe(usual)
  })
})
