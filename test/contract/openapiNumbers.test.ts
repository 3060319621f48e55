import { describe, expect, it } from '@jest/globals'
import { requestMembers, takes } from '../support/requestMembers.ts'

const NUMBERS = requestMembers(({ type }) => type === 'integer' || type === 'number')

describe('the numbers of every request', () => {
  it('are found', () => {
    expect(NUMBERS.length).toBeGreaterThan(50)
  })

  it.each(NUMBERS)('%s takes %s up to its documented maximum, and nothing above', (_operation, _path, body, found) => {
    const { maximum, type } = found.schema
    expect(takes(body, found, maximum ?? 1e15)).toBe(true)
    if (maximum === undefined) return
    const above = type === 'integer' || maximum < 1e15 ? maximum + (Number.isInteger(maximum) ? 1 : 0.01) : maximum * 2
    expect(takes(body, found, above)).toBe(false)
  })

  it.each(NUMBERS)('%s rounds a computed %s, or refuses it by name', (_operation, _path, body, found) => {
    const { maximum = 1, type } = found.schema
    const computed = maximum < 1 ? 0 : 0.1 + 0.2
    const isTaken = takes(body, found, computed)
    const isMoney = /gross|unit_cost|cpm|credit_limit|amount|commission_pct$/.test(String(found.path.at(-1)))
    expect(isTaken).toBe(type === 'number' && !isMoney)
  })
})
