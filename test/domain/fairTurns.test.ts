import { describe, expect, it } from '@jest/globals'
import { type FairTurns, fairTurns } from '../../src/domain/fairTurns.ts'
import { settled } from '../support/until.ts'

/** Takes whose order is recorded, and which end when the test says so. */
function takes(turns: FairTurns) {
  const began: string[] = []
  const permits = new Map<string, () => void>()
  return {
    began,
    take(tenant: string, name: string, signal?: AbortSignal) {
      return turns.take(tenant, signal).then((release) => {
        began.push(name)
        permits.set(name, release)
      })
    },
    async end(name: string) {
      permits.get(name)?.()
      await settled()
    },
  }
}

describe('fair turns', () => {
  it('let a tenant with one item wait for one turn of a tenant with many', async () => {
    const { take, end, began } = takes(fairTurns({ permits: 1 }))
    for (let at = 1; at <= 1_000; at += 1) void take('many', `many-${at}`)
    void take('one', 'one')
    await settled()
    await end('many-1')
    expect(began).toEqual(['many-1', 'one'])
    await end('one')
    expect(began).toEqual(['many-1', 'one', 'many-2'])
  })

  it('go to the tenant who holds the fewest, and round among equals', async () => {
    const { take, end, began } = takes(fairTurns({ permits: 3 }))
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void take('a', name)
    for (const name of ['b1', 'b2']) void take('b', name)
    for (const name of ['c1', 'c2']) void take('c', name)
    await settled()
    expect(began).toEqual(['a1', 'a2', 'a3'])
    for (const name of ['a1', 'a2', 'b1', 'a3', 'c1']) await end(name)
    expect(began.slice(3)).toEqual(['b1', 'c1', 'b2', 'a4', 'c2'])
  })

  it('starve no one, even if others keep coming back', async () => {
    const { take, end, began } = takes(fairTurns({ permits: 1 }))
    await take('a', 'a1')
    void take('a', 'a2')
    for (let at = 1; at <= 3; at += 1) {
      void take('b', `b${at}`)
      void take('c', `c${at}`)
      await settled()
      await end(began.at(-1) ?? '')
    }
    while (began.length < 8) await end(began.at(-1) ?? '')
    expect(began.indexOf('a2')).toBe(3) // after one turn of each
  })

  it('keep permits free for others where one tenant cannot hold all', async () => {
    const turns = fairTurns({ permits: 2, perTenant: 1 })
    const { take, end, began } = takes(turns)
    void take('a', 'a1')
    void take('a', 'a2')
    await settled()
    expect([began, turns.waiting('a')]).toEqual([['a1'], 1])
    await take('b', 'b1')
    await end('a1')
    expect(began).toEqual(['a1', 'b1', 'a2'])
  })

  it('are left by a take whose signal aborts, before or while it waits', async () => {
    const turns = fairTurns({ permits: 1 })
    const { take, end, began } = takes(turns)
    await take('a', 'a1')
    const patience = new AbortController()
    const waits = take('b', 'b1', patience.signal)
    void take('b', 'b2')
    patience.abort(new Error('too late'))
    await expect(waits).rejects.toThrow('too late')
    await expect(turns.take('c', patience.signal)).rejects.toThrow('too late')
    expect([turns.waiting('b'), turns.waiting('c')]).toEqual([1, 0])
    await end('a1')
    expect(began).toEqual(['a1', 'b2'])
  })

  it('take a permit back once', async () => {
    const turns = fairTurns({ permits: 1 })
    const { take, end, began } = takes(turns)
    await take('a', 'a1')
    for (const name of ['a2', 'a3']) void take('a', name)
    await end('a1')
    await end('a1')
    expect(began).toEqual(['a1', 'a2'])
  })

  it('follow a new number of permits', async () => {
    const turns = fairTurns({ permits: 1 })
    const { take, end, began } = takes(turns)
    for (const name of ['a1', 'a2', 'a3', 'a4']) void take('a', name)
    turns.resize(3)
    await settled()
    expect(began).toEqual(['a1', 'a2', 'a3'])
    turns.resize(1)
    await end('a1')
    await end('a2')
    expect(began).toEqual(['a1', 'a2', 'a3'])
    await end('a3')
    expect(began).toEqual(['a1', 'a2', 'a3', 'a4'])
  })

  it('that have come already are taken without a wait, and no refusal of one waits, or puts its tenant before others', async () => {
    const turns = fairTurns({ permits: 1 })
    const { take, end, began } = takes(turns)
    const release = turns.takeNow('a')
    expect([release === undefined, turns.takeNow('b'), turns.waiting('b')]).toEqual([false, undefined, 0])
    void take('c', 'c')
    void take('b', 'b')
    release?.()
    release?.()
    await settled()
    expect([began, turns.takeNow('b'), turns.waiting('b')]).toEqual([['c'], undefined, 1])
    await end('c')
    await end('b')
    expect(began).toEqual(['c', 'b'])
    expect(turns.takeNow('a')).toBeDefined()
  })
})
