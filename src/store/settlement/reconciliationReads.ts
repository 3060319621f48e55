import type { ReconciliationState, VarianceCode, VarianceState } from '../../contract/vocabulary/reconciliation.ts'
import type { ReconciliationTotals } from '../../domain/settlement/reconciliationLines.ts'
import type { AudienceGuarantee, ReconciliationCoverage, StoredLine } from '../../domain/settlement/reconciliationResult.ts'
import type { Database } from '../connection/database.ts'
import { PAGE_BYTES, withinPage } from '../connection/pageBytes.ts'
import { statement } from '../connection/statement.ts'
import type { Reader } from '../orders/command.ts'
import { STEP, type StoredStep } from './varianceSteps.ts'

/** The stored result of an order, whose members except the currency are null before the order is reconciled, and a page of its lines. */
export interface StoredReconciliation {
  order_id: string
  currency: string
  revision: number | null
  state: ReconciliationState | null
  reconciled_at: string | null
  coverage: ReconciliationCoverage | null
  totals: ReconciliationTotals | null
  guarantees: AudienceGuarantee[] | null
  lines: StoredCell[]
  /** The number of lines found, up to the limit: more than those listed if the page ends early. */
  found: number
}

/** A line with all actions on its variances; without a body if new data ended the line. */
export interface StoredCell {
  /** Its place in the result; ended lines come last. */
  line: number
  unit_id: string | null
  network: string
  air_date: string
  broadcast_month: string
  codes: VarianceCode[]
  body: StoredLine | null
  steps: StoredStep[]
}

export interface ReconciliationRequest {
  orderId: string
  code?: VarianceCode | undefined
  state?: VarianceState | undefined
  broadcast_month?: string | undefined
  after: number
  limit: number
}

/**
 * Returns the reconciliation of an order, read in one statement and thus at one moment; undefined if the order is not the reader's. Omits
 * lines without a variance that `code` or `state` may select.
 */
export async function readReconciliation(
  { pool }: Pick<Database, 'pool'>,
  reader: Reader,
  { orderId, code, state, broadcast_month, after, limit }: ReconciliationRequest,
): Promise<StoredReconciliation | undefined> {
  const { rows } = await pool.query<StoredReconciliation>(
    RECONCILIATION.bind({
      ...{ order_id: orderId, side: reader.side, entity: reader.entity, code: code ?? null, state: state ?? null },
      ...{ broadcast_month: broadcast_month ?? null, after, limit, page_bytes: PAGE_BYTES },
    }),
  )
  return rows[0]
}

/** The first number of ended lines, above every line of a result. */
const ENDED_LINES = 1_000_000_000

const KEY = 'unit_id, network, air_date, broadcast_month'
const isAt = (acted: string, line: string) =>
  `${acted}.unit_id is not distinct from ${line}.unit_id and ${acted}.network = ${line}.network and ${acted}.air_date = ${line}.air_date`

const RECONCILIATION = statement(
  'read-reconciliation',
  ['order_id', 'side', 'entity', 'code', 'state', 'broadcast_month', 'after', 'limit', 'page_bytes'],
  `with own as materialized (
      select o.order_id, coalesce(r.currency, (select facts::json->>'currency' from order_records f where f.order_id = o.order_id)) as currency,
        r.revision, r.state, r.reconciled_at, r.coverage, r.totals, r.guarantees, r.result
      from orders o left join reconciliations r using (order_id)
      where o.order_id = :order_id and case :side when 'buyer' then o.buyer_entity else o.seller end = :entity
    ), acted as materialized (
      select ${KEY}, array_agg(code) as acted_codes from own join variance_actions using (order_id) group by ${KEY}
    ), current as (
      select l.line, l.unit_id, l.network, l.air_date, l.broadcast_month, l.codes, l.body, a.acted_codes
      from own join reconciliation_lines l using (order_id, result) left join acted a on ${isAt('a', 'l')}
    ), ended as (
      select (${ENDED_LINES} + row_number() over (order by ${KEY}))::int as line, ${KEY}, '{}'::text[] as codes, null::json as body, acted_codes
      from acted a where not exists (select from own join reconciliation_lines l using (order_id, result) where ${isAt('a', 'l')})
    ), found as (
      select * from (select * from current union all select * from ended) cells
      where line > :after and (:broadcast_month::text is null or broadcast_month = :broadcast_month)
        and (:code::text is null or :code = any(codes) or :code = any(acted_codes))
        and case when :state::text is null then true when :state = 'open' then cardinality(codes) > 0 else acted_codes is not null end
      order by line limit :limit
    ), whole as (
      select f.*, coalesce((select json_agg(${STEP} order by variance_id, n) from variance_actions a
          where f.acted_codes is not null and a.order_id = :order_id and ${isAt('a', 'f')}), '[]') as steps
      from found f
    ), page as (
      select * from ${withinPage('select * from whole', {
        text: "(coalesce(body::text, '') || steps::text)",
        order: 'line',
        bytes: ':page_bytes::int',
      })} page
    )
    select own.*, (select count(*)::int from found) as found, coalesce((select json_agg(json_build_object('line', line, 'unit_id', unit_id,
        'network', network, 'air_date', air_date, 'broadcast_month', broadcast_month, 'codes', codes, 'body', body, 'steps', steps) order by line)
      from page), '[]') as lines
    from own`,
)
