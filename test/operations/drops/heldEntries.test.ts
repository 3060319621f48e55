import { describe, expect, it } from '@jest/globals'
import type { EntryOutput } from '../../../src/operations/drops/reader/entryReader.ts'
import type { RowError } from '../../../src/operations/drops/reader/messages.ts'
import { readCatalog } from '../../../src/operations/drops/reader/readCatalog.ts'
import { readRateCards } from '../../../src/operations/drops/reader/readRateCards.ts'
import { aProduct, aRate } from '../../support/orders/published.ts'

function recorded() {
  const accepted: number[] = []
  const errors: RowError[] = []
  const output: EntryOutput = {
    head: () => undefined,
    accept: (row) => void accepted.push(row),
    reject: (_, refused) => void errors.push(...refused),
    warn: () => undefined,
    takesWarnings: true,
  }
  return { accepted, errors, output }
}

describe('what a drop holds in memory until it is published is bounded', () => {
  it('by the characters of its products', () => {
    const { accepted, errors, output } = recorded()
    const reader = readCatalog(output, 10_000)
    for (let row = 1; row <= 9; row += 1) {
      const entry = aProduct(`p${row}`, { billboard: { text: 'x'.repeat(row === 4 ? 9_000 : 1_000) } })
      reader.take({ row, entry, head: {} })
    }
    expect(errors).toMatchObject([
      { row: 4, error_code: 'INVALID_ENTRY', field: 'product_id', value: 'p4' },
      ...errors.slice(1).map(() => ({ message: 'The products of a drop can have at most 10000 characters as JSON.' })),
    ])
    expect(accepted.slice(0, 4)).toEqual([1, 2, 3, 5])
    expect(accepted.length + errors.length).toBe(9)
  })

  it.each([
    ['entries', { mostEntries: 3 }],
    ['characters', { mostCharacters: 900 }],
  ])('by the %s of its rate cards, over all of its files', (_, bounds) => {
    const { accepted, errors, output } = recorded()
    const files = ['a.csv', 'b.csv'].map((filename) => ({ filename, path: filename, format: 'csv' as const, sha256: '0'.repeat(64) }))
    const effective = { start: '2030-06-03', end: '2030-09-01' }
    const reader = readRateCards({ type: 'rate_cards', drop_id: 'd', folder: '', files, effective }, output, bounds)
    for (const index of [0, 1]) {
      reader.beginFile?.(index)
      for (let row = 1; row <= 5; row += 1) reader.take({ row, entry: aRate(`p${row}`), head: {} })
    }
    expect(accepted.length).toBeGreaterThan(0)
    expect(accepted.length).toBeLessThanOrEqual(5)
    expect(errors.length).toBe(10 - accepted.length)
    expect(errors.at(-1)).toMatchObject({
      row: 5,
      error_code: 'INVALID_ENTRY',
      message: expect.stringContaining('The rate cards of a drop'),
    })
  })
})
