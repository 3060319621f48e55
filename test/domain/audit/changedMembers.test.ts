import { describe, expect, it } from '@jest/globals'
import { changedMembers } from '../../../src/domain/audit/changedMembers.ts'
import { canonicalJson } from '../../../src/domain/canonicalJson.ts'

describe('the members that a change affected', () => {
  it('are those whose values differ, whatever the order of their own', () => {
    const before = { same: 1, changed: { a: 1, b: 2 }, removed: 3, order: { a: 1, b: [1, 2] } }
    const after = { order: { b: [1, 2], a: 1 }, changed: { a: 1, b: 3 }, added: 4, same: 1 }
    expect(changedMembers(before, after)).toEqual({
      before: { changed: { a: 1, b: 2 }, removed: 3 },
      after: { changed: { a: 1, b: 3 }, added: 4 },
    })
    expect(changedMembers(before, { ...before })).toBeUndefined()
    expect(changedMembers({ list: [1, 2] }, { list: [2, 1] })).toEqual({ before: { list: [1, 2] }, after: { list: [2, 1] } })
  })

  it('are all of what is made or ends', () => {
    expect(changedMembers(null, { a: 1 })).toEqual({ before: null, after: { a: 1 } })
    expect(changedMembers({ a: 1 }, null)).toEqual({ before: { a: 1 }, after: null })
    expect(changedMembers(null, null)).toBeUndefined()
  })

  it('are fifty at most, and no longer than a line', () => {
    const many = (value: number, of = 51) => Object.fromEntries(Array.from({ length: of }, (_, n) => [`m${n}`, value]))
    expect(changedMembers(many(1, 50), many(2, 50))?.after).toEqual(many(2, 50))
    expect(changedMembers(many(1), many(2))).toEqual({
      before: { ...many(1, 50), further_members: 1 },
      after: { ...many(2, 50), further_members: 1 },
    })
    const text = (length: number) => 'x'.repeat(length - 2) // quotes are counted
    expect(changedMembers({ a: text(500) }, { a: text(501) })).toEqual({ before: { a: text(500) }, after: { a: { characters: 501 } } })
  })
})

it('canonical JSON sorts members at each depth, and leaves lists and scalars', () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }], a: 'x' })).toBe('{"a":"x","b":[{"c":null,"d":1}]}')
  expect([canonicalJson(undefined), canonicalJson(null), canonicalJson([2, 1])]).toEqual(['', 'null', '[2,1]'])
})
