import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { batched, type Grouping } from '../../../src/store/connection/batched.ts'
import { BATCH_CHARACTERS } from '../../../src/store/connection/batches.ts'

describe('calls that are batched', () => {
  const pool = new pg.Pool() // connects to nothing: these runs need no database
  /** The groups in the order of their starts. The test ends each one, which answers every ask with itself. */
  const underWay = (grouping: Partial<Grouping> = {}, sizeOf?: (ask: number) => number) => {
    const groups: { asks: readonly number[]; end: () => void; fail: (error: Error) => void }[] = []
    const ask = batched<number, number>(
      (_, asks) =>
        new Promise((resolve, reject) => {
          groups.push({ asks, end: () => resolve(asks), fail: reject })
        }),
      { max: 64, inFlight: 2, ...grouping },
      sizeOf,
    )
    const started = () => groups.map(({ asks }) => asks)
    return { groups, started, ask: (...asks: number[]) => asks.map((each) => ask(pool, each)) }
  }
  const soon = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

  it('run alone at once, and together while runs are under way', async () => {
    const { started, ask, groups } = underWay()
    void ask(1)
    await soon()
    void ask(2)
    await soon()
    const answers = Promise.all(ask(3, 4))
    await soon()
    expect(started()).toEqual([[1], [2]])
    groups[0]?.end()
    await soon()
    expect(started()).toEqual([[1], [2], [3, 4]])
    groups[2]?.end()
    expect(await answers).toEqual([3, 4])
  })

  it('run together up to about 1 MiB of text', async () => {
    const { started, ask, groups } = underWay({ inFlight: 1 }, (size) => size)
    void ask(1)
    await soon()
    void ask(BATCH_CHARACTERS / 2, BATCH_CHARACTERS / 2, 1, 2 * BATCH_CHARACTERS, 2)
    for (const index of [0, 1, 2, 3]) {
      groups[index]?.end()
      await soon()
    }
    expect(started()).toEqual([[1], [BATCH_CHARACTERS / 2, BATCH_CHARACTERS / 2], [1], [2 * BATCH_CHARACTERS], [2]])
  })

  it('are grouped behind a run that is alone', async () => {
    const { started, ask, groups } = underWay({ aloneMs: 60_000 })
    void ask(1)
    await soon()
    void ask(2)
    await soon()
    void ask(3)
    await soon()
    expect(started()).toEqual([[1]])
    groups[0]?.end()
    await soon()
    expect(started()).toEqual([[1], [2, 3]])
    groups[1]?.end()
  })

  it('run beside a run that takes longer than it may be alone, as many as are allowed', async () => {
    const { started, ask, groups } = underWay({ aloneMs: 5, inFlight: 3 })
    for (const each of [1, 2, 3, 4]) {
      void ask(each)
      await sleep(30)
    }
    expect(started()).toEqual([[1], [2], [3]])
    void ask(5)
    groups[1]?.end()
    await soon()
    expect(started()).toEqual([[1], [2], [3], [4, 5]])
    for (const { end } of groups) end()
  })

  it('are repeated one by one if the database refuses them, and not if the connection is lost', async () => {
    const { started, ask, groups } = underWay({ inFlight: 1 })
    const refused = Promise.allSettled(ask(1, 2))
    await soon()
    groups[0]?.fail(Object.assign(new pg.DatabaseError('', 0, 'error'), { code: '23505' }))
    await soon()
    expect(started()).toEqual([[1, 2], [1], [2]])
    groups[1]?.end()
    groups[2]?.fail(new Error('refused'))
    expect((await refused).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    const lost = Promise.allSettled(ask(3, 4))
    await soon()
    groups[3]?.fail(new Error('Connection terminated'))
    expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(started()).toHaveLength(4)
  })
})
