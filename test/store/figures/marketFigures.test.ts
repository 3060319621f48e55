import { afterEach, describe, expect, it } from '@jest/globals'
import { readMarketFigures } from '../../../src/store/figures/marketFigures.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
afterEach(() => db.pool.query('delete from outbox'))

/** A row that was committed an hour ago. */
const old = (kind: string, claimable: 'now' | 'later') =>
  db.pool.query(`insert into outbox (kind, target, created_at, claimable_at) values ($1, 'x', now() - interval '1 hour', $2)`, [
    kind,
    claimable === 'now' ? new Date(0) : new Date('2100-01-01'),
  ])
const age = async () => (await readMarketFigures(db.pool)).outbox

describe('the age of the outbox', () => {
  it('is nothing when there is no row', async () => {
    expect(await age()).toEqual({ rows: 0, oldest_s: 0 })
  })

  it.each([
    ['endpoint', 'now'],
    ['endpoint', 'later'],
    ['hold', 'now'],
    ['hold', 'later'],
  ] as const)('is that of a row of kind %s that is to be claimed %s', async (kind, claimable) => {
    await old(kind, claimable)
    const { oldest_s } = await age()
    expect(oldest_s).toBeGreaterThanOrEqual(3_600)
  })
})
