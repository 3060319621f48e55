import { beforeAll, expect, it } from '@jest/globals'
import { sql } from 'kysely'
import { varianceId } from '../../../src/operations/settlement/varianceId.ts'
import { insertStep, readVarianceLine } from '../../../src/store/settlement/varianceSteps.ts'
import { useApiDatabase } from '../../support/useApiDatabase.ts'
import { useMarket } from '../../support/useMarket.ts'

const LINES = 5_000
const order_id = 'ord_large'
const market = useMarket()
const api = useApiDatabase(market)
const idOf = (line: number) => varianceId({ order_id, unit_id: `u${line}`, network: 'CBL', air_date: '2030-06-03', code: 'MISSED', n: 1 })

beforeAll(async () => {
  const db = market.owner()
  await db.query(
    `insert into reconciliations (order_id, seller, buyer_entity, currency, state, coverage, totals, guarantees, codes, broadcast_months, digest)
      values ($1, 'cable', 'acme', 'USD', 'reconciled', '{}', '{}', '[]', '{MISSED}', '{2030-06}', '')`,
    [order_id],
  )
  const bodies = Array.from({ length: LINES }, (_, line) => ({
    ordered_gross: 100,
    variances: [{ variance_id: idOf(line), code: 'MISSED', units: 1, gross: 100, rows: [] }],
  }))
  await db.query(
    `insert into reconciliation_lines (order_id, result, line, seller, buyer_entity, unit_id, network, air_date, broadcast_month, codes, body)
      select $1, 1, place, 'cable', 'acme', 'u' || place - 1, 'CBL', '2030-06-03', '2030-06', '{MISSED}', body
      from json_array_elements($2::json) with ordinality as listed (body, place)`,
    [order_id, JSON.stringify(bodies)],
  )
  await db.query('analyze reconciliation_lines')
})
market.beforeStop(async () => {
  // No order books what these say.
  await market.owner().query('alter table variance_actions disable trigger user; delete from variance_actions')
  await market
    .owner()
    .query('alter table variance_actions enable trigger user; delete from reconciliation_lines; delete from reconciliations')
})

it('an action finds its line by an index, however many lines the order has', async () => {
  const variance_id = idOf(3_210)
  await api
    .as(['acme', 'cable'])
    .sql.transaction()
    .execute(async (tx) => {
      const line = await readVarianceLine(tx, order_id, variance_id)
      expect(line).toMatchObject({ unit_id: 'u3210', revision: 1, steps: [] })
      await insertStep(tx, {
        ...{
          order_id,
          variance_id,
          n: 1,
          seller: 'cable',
          buyer_entity: 'acme',
          action: 'dispute',
          side: 'buyer',
          actor: 'acme',
          note: null,
        },
        ...{
          amount: null,
          invoice_id: null,
          code: 'MISSED',
          unit_id: 'u3210',
          network: 'CBL',
          air_date: '2030-06-03',
          broadcast_month: '2030-06',
        },
        ...{ units: 1, gross: 100, disputed: '100', spot: null, request_key: null, body_hash: '00' },
      })
      expect(await readVarianceLine(tx, order_id, variance_id)).toMatchObject({ revision: 2, steps: [{ action: 'dispute' }] })
      const { rows } = await sql<{ read: number }>`select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
      where relname = 'reconciliation_lines'`.execute(tx)
      expect(rows[0]?.read).toBeLessThan(50)
    })
})
