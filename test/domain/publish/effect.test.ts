import { expect, it } from '@jest/globals'
import { effectTally } from '../../../src/domain/publish/effect.ts'

const entry = { product_id: 'prime', start: '2026-W50' }

it('a publish adds, changes, ends and leaves, and lists what it does', () => {
  const tally = effectTally()
  const [before, after] = [
    { a: 1, b: 2 },
    { a: 1, b: 3 },
  ]
  expect(tally.add({ ...entry, before: undefined, after })).toBe('added')
  expect(tally.add({ ...entry, before, after })).toBe('changed')
  expect(tally.add({ ...entry, before, after: { b: 2, a: 1 } })).toBe('unchanged')
  expect(tally.add({ ...entry, before, after, ends: true })).toBe('ended')
  expect(tally.add({ ...entry, before, after: before, ends: true })).toBe('unchanged')
  expect(tally.add({ ...entry, before: undefined, after, ends: true })).toBe('added')
  expect(tally.effect()).toEqual({
    ...{ added: 2, changed: 1, unchanged: 2, ended: 1, open_orders_drifting: 0 },
    changes: [
      { ...entry, change: 'added', before: null, after },
      { ...entry, change: 'changed', before, after },
      { ...entry, change: 'ended', before, after },
      { ...entry, change: 'added', before: null, after },
    ],
  })
  expect(tally.effect(3).open_orders_drifting).toBe(3)
})

it('a publish counts all changes and lists the first thousand', () => {
  const tally = effectTally()
  for (let n = 0; n < 1_001; n += 1) tally.add({ ...entry, before: undefined, after: { n } })
  const { added, changes } = tally.effect()
  expect([added, changes.length, changes.at(-1)?.after]).toEqual([1_001, 1_000, { n: 999 }])
})
