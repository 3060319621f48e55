import { afterEach, describe, expect, it } from '@jest/globals'
import type { Worker } from '@temporalio/worker'
import { type KeepWorkersDeps, type KeptWorkers, keepWorkers } from '../../worker/keepWorkers.ts'
import type { Seen } from '../../worker/watchTemporal.ts'
import { moment } from '../support/hookedDatabase.ts'
import { settled, until } from '../support/until.ts'

const AWAY = new Error('away')
const reached = (namespaceId: string): Seen => ({ reachable: true, namespaceId })
const SILENT: Seen = { reachable: false, unknown: false }
const GONE: Seen = { reachable: false, unknown: true }

/** A Worker object of Temporal's library, as far as its life goes: it runs until it is shut down, or fails. */
function aWorker(name: string, done: string[]) {
  const over = moment()
  let failure: Error | undefined
  let state = 'RUNNING'
  return {
    getState: () => state,
    shutdown: () => {
      if (state !== 'RUNNING') throw new Error(`Not running. Current state: ${state}`)
      done.push(`shut down ${name}`)
      state = 'STOPPED'
      over.come()
    },
    run: async () => {
      await over.has
      state = 'STOPPED'
      if (failure !== undefined) throw failure
    },
    end: (error?: Error) => {
      failure = error
      over.come()
    },
  }
}

let kept: KeptWorkers | undefined
afterEach(() => kept?.stop())

/** The life of Workers on a Temporal of which the test says what is seen. `done` is what was done, in order. */
function living(deps: Partial<KeepWorkersDeps> = {}) {
  const done: string[] = []
  const workers: ReturnType<typeof aWorker>[] = []
  let seen: Seen | undefined
  let change = moment()
  kept = keepWorkers({
    watch: { seen: () => seen, changed: () => change.has },
    setUp: async (id) => void done.push(`set up ${id}`),
    open: async () => {
      const worker = aWorker(`worker ${workers.length + 1}`, done)
      workers.push(worker)
      done.push(`open worker ${workers.length}`)
      return [worker as unknown as Worker]
    },
    polling: async () => undefined,
    isAway: (error) => error === AWAY,
    quietMs: 30,
    logger: { info: (message) => void done.push(message), warn: (message) => void done.push(message) },
    ...deps,
  })
  const see = (next: Seen) => {
    seen = next
    const last = change
    change = moment()
    last.come()
  }
  return { kept, done, workers, see }
}
const ANEW = 'Temporal has the namespace anew; it is set up, and everything that is open gets its run'
const AGAIN = 'the namespace of Temporal cannot be used yet; trying again'

describe('the Workers of a process', () => {
  it('are opened once Temporal is seen, on a namespace that is set up', async () => {
    const { kept, done, see } = living()
    await settled()
    expect([done, kept.isServing()]).toEqual([[], false])
    see(reached('first'))
    await kept.ready
    expect([done, kept.isServing()]).toEqual([['set up first', 'open worker 1'], true])
  })

  it('stay while nothing answers, and are replaced once it answers, on the same namespace as it was', async () => {
    const { kept, done, see } = living()
    see(reached('first'))
    await kept.ready
    see(SILENT)
    await until(() => !kept.isServing())
    expect(done).toEqual(['set up first', 'open worker 1'])
    see(reached('first'))
    await until(() => kept.isServing())
    expect(done.slice(2)).toEqual(['shut down worker 1', 'open worker 2'])
  })

  it('are shut down when the namespace is gone, and opened after a pause on one that was made anew', async () => {
    const { kept, done, see } = living()
    see(reached('first'))
    await kept.ready
    see(GONE)
    await until(() => done.includes('shut down worker 1'))
    expect(kept.isServing()).toBe(false)
    const began = performance.now()
    see(reached('second'))
    await until(() => kept.isServing())
    expect(done.slice(2)).toEqual(['shut down worker 1', ANEW, 'set up second', 'open worker 2'])
    expect(performance.now() - began).toBeGreaterThanOrEqual(25)
  })

  it('are opened anew also where nobody has seen that the namespace was gone', async () => {
    const { kept, done, see } = living()
    see(reached('first'))
    await kept.ready
    see(reached('second'))
    await until(() => done.includes('open worker 2'))
    expect(done.slice(2)).toEqual(['shut down worker 1', ANEW, 'set up second', 'open worker 2'])
  })

  it('are tried again each second while an engine is away, which is told once', async () => {
    let tries = 0
    const { kept, done, see } = living({
      setUp: async () => {
        tries += 1
        if (tries < 3) throw AWAY
      },
    })
    const began = performance.now()
    see(reached('first'))
    await kept.ready
    expect(done).toEqual([AGAIN, 'open worker 1'])
    expect(performance.now() - began).toBeGreaterThan(1_900)
    expect(performance.now() - began).toBeLessThan(6_000)
  })

  it('are not ready where Temporal is lost before they ask for tasks', async () => {
    let asked: AbortSignal | undefined
    const { kept, see } = living({
      polling: (_, stopping) => {
        asked = stopping
        return new Promise(() => undefined)
      },
    })
    let isReady = false
    void kept.ready.then(() => {
      isReady = true
    })
    see(reached('first'))
    await until(() => asked !== undefined)
    see(SILENT)
    await until(() => asked?.aborted === true)
    expect(isReady).toBe(false)
  })
})

describe('the process', () => {
  it('ends with a failure that no repeat changes', async () => {
    const refused = new Error('refused')
    const { kept, see } = living({ setUp: () => Promise.reject(refused) })
    see(reached('first'))
    await expect(kept.ended).rejects.toBe(refused)
  })

  it.each([
    ['fails', new Error('the worker has failed')],
    ['ends without a signal', undefined],
  ])('ends where a Worker %s', async (_, failure) => {
    const { kept, workers, see } = living()
    see(reached('first'))
    await kept.ready
    workers[0]?.end(failure)
    await expect(kept.ended).rejects.toThrow(failure?.message ?? 'the worker has stopped without a signal')
  })

  it('goes on where a Worker fails that was replaced', async () => {
    const { kept, workers, see } = living()
    see(reached('first'))
    await kept.ready
    Object.assign(workers[0] ?? {}, { shutdown: () => undefined })
    see(reached('second'))
    await until(() => workers.length === 2)
    await until(() => kept.isServing())
    workers[0]?.end(new Error('late'))
    let hasEnded = false
    kept.ended.catch(() => {
      hasEnded = true
    })
    await settled()
    expect([hasEnded, kept.isServing()]).toEqual([false, true])
  })

  it('that is stopped waits for what its Workers have begun', async () => {
    const { kept, done, workers, see } = living()
    see(reached('first'))
    await kept.ready
    Object.assign(workers[0] ?? {}, { shutdown: () => done.push('shut down') })
    let hasStopped = false
    const stopping = kept.stop().then(() => {
      hasStopped = true
    })
    await until(() => done.includes('shut down'))
    await settled()
    expect([hasStopped, kept.isServing()]).toEqual([false, false])
    workers[0]?.end()
    await Promise.all([stopping, kept.ended])
  })

  it.each([
    ['hangs in its setup', { setUp: () => new Promise<void>(() => undefined) }],
    ['cannot open Workers', { open: () => new Promise<Worker[]>(() => undefined) }],
    ['waits for an engine', { setUp: () => Promise.reject(AWAY) }],
    ['waits for its Workers to poll', { polling: (_: unknown, stopping: AbortSignal) => aborts(stopping) }],
  ])('that is stopped ends at once also while it %s', async (_, deps) => {
    const { kept, see } = living(deps)
    see(reached('first'))
    await settled()
    const began = performance.now()
    await kept.stop()
    await kept.ended
    expect(performance.now() - began).toBeLessThan(900)
  })
})

const aborts = (signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
