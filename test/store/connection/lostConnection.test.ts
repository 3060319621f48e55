import { describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { applyCommand } from '../../../src/operations/orders/applyCommand.ts'
import { checkInvariants } from '../../support/invariants/invariants.ts'
import { command, negotiating, round, rowCounts, slowRound, stored } from '../../support/orders/storedOrders.ts'
import { until } from '../../support/until.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase({ max: 3 })

/** How many transactions wait for their next statement, having written something. */
async function idleInTransaction(): Promise<number> {
  const { rows } = await asOwner(`select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction' and backend_xid is not null`)
  return rows[0].waiting
}

/** Ends every connection of the application, as a restart of the server does. */
async function cutConnections(): Promise<void> {
  await asOwner(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
}

/** Begins something that lasts until the connections are cut; cuts them when a transaction is open, and returns its result. */
async function cutDuring<T>(begin: (isCut: Promise<void>) => Promise<T>): Promise<T> {
  let end: () => void = () => undefined
  const result = begin(
    new Promise((resolve) => {
      end = resolve
    }),
  )
  await until(async () => (await idleInTransaction()) > 0)
  await cutConnections()
  end()
  return result
}

/** The application's own role can neither see nor end the sessions of others. */
async function asOwner(statement: string): Promise<pg.QueryResult> {
  const owner = new pg.Client(db.url)
  await owner.connect()
  try {
    return await owner.query(statement)
  } finally {
    await owner.end()
  }
}

describe('a connection that is lost', () => {
  it('between two statements of a transaction refuses the command, writes nothing, and does not end the process', async () => {
    const orderId = await negotiating(db.log)
    const before = await rowCounts(db)
    const outcome = await cutDuring((isCut) =>
      slowRound(db.log, orderId, isCut).then(
        () => 'committed',
        () => 'refused',
      ),
    )
    expect(outcome).toBe('refused')
    expect(await rowCounts(db)).toEqual(before)
  })

  it('leaves pool and order as they were: the next command goes through', async () => {
    const orderId = await negotiating(db.log)
    for (let cuts = 0; cuts < 5; cuts += 1) {
      const interrupted = await cutDuring((isCut) => Promise.allSettled([1, 2, 3, 4].map(() => slowRound(db.log, orderId, isCut))))
      expect(interrupted.map(({ status }) => status)).toContain('rejected')
    }
    const { last_seq } = await applyCommand(db.log, orderId, command(), round)
    expect((await db.log.load(orderId))?.last_seq).toBe(last_seq)
    await expect(stored(db.log)).resolves.toMatch(/^ord_/)
    expect(await checkInvariants(db.url)).toEqual([])
  })
})
