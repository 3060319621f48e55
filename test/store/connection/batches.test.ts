import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { BATCH_CHARACTERS, batches } from '../../../src/store/connection/batches.ts'

const sizes = fc.array(fc.oneof(fc.nat(200), fc.integer({ min: BATCH_CHARACTERS / 4, max: 2 * BATCH_CHARACTERS })), { maxLength: 40 })
const rowsOf = (characters: readonly number[]) => characters.map((length, place) => ({ place, text: 'x'.repeat(length), none: null }))
const sizeOf = (rows: ReturnType<typeof rowsOf>) => rows.reduce((sum, { text }) => sum + text.length + 16, 0)

describe('batches', () => {
  it('keep every row in its order, within both bounds; only a row that is larger by itself exceeds the bytes', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 10 }), (characters, max) => {
        const rows = rowsOf(characters)
        const made = [...batches(rows, max)]
        expect(made.flat()).toEqual(rows)
        for (const batch of made) {
          expect(batch.length).toBeGreaterThan(0)
          expect(batch.length).toBeLessThanOrEqual(max)
          if (batch.length > 1) expect(sizeOf(batch)).toBeLessThanOrEqual(BATCH_CHARACTERS)
        }
        for (const [index, batch] of made.slice(1).entries()) {
          const before = made[index] as typeof batch
          expect(before.length === max || sizeOf([...before, batch[0] as (typeof batch)[number]]) > BATCH_CHARACTERS).toBe(true)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('take a row only when its batch needs it', () => {
    let taken = 0
    function* rows() {
      for (; ; taken += 1) yield { text: 'x'.repeat(BATCH_CHARACTERS / 2) }
    }
    batches(rows(), 100).next()
    expect(taken).toBeLessThanOrEqual(2)
  })
})
