import type { ReconciledOrder } from '../../contract/reconciliation.ts'
import type { Side } from '../../contract/vocabulary/access.ts'
import type { VarianceCode } from '../../contract/vocabulary/reconciliation.ts'
import type { Database } from '../connection/database.ts'
import { type Statement, statement } from '../connection/statement.ts'
import { utcText } from '../connection/utcText.ts'
import { HORIZON } from '../delivery/feed.ts'
import type { Reader } from '../orders/command.ts'

/** A position among the changes of a tenant's reconciliations: everything up to it has been read. */
export interface ChangePosition {
  txid: string
  order_id: string
}

export const FIRST_CHANGE: ChangePosition = { txid: '0', order_id: '' }

export interface ChangeFilter {
  code?: VarianceCode | undefined
  broadcast_month?: string | undefined
}

/**
 * Lists the reader's orders whose result has changed after a position, each at its last change, and the next position. As in the feed,
 * reads only changes of transactions below the oldest open one: none can slip in behind a cursor. If many are skipped, a page ends early.
 */
export async function listReconciledOrders(
  { pool }: Pick<Database, 'pool'>,
  { side, entity }: Reader,
  after: ChangePosition,
  { code, broadcast_month, limit }: ChangeFilter & { limit: number },
): Promise<{ items: ReconciledOrder[]; last: ChangePosition }> {
  const { rows } = await pool.query<ChangeRow>(
    CHANGES[side].bind({ entity, ...after, code: code ?? null, broadcast_month: broadcast_month ?? null, limit, scan: SCAN }),
  )
  const picked = rows.filter((row): row is ChangeRow & { item: ReconciledOrder } => row.item !== null)
  const [first] = rows
  const end = first && { txid: first.end_txid, order_id: first.end_order_id }
  const last = picked.at(-1)
  const full = picked.length === limit && last !== undefined ? { txid: last.txid, order_id: last.item.order_id } : undefined
  return { items: picked.map(({ item }) => item), last: full ?? end ?? after }
}

/** A row of a page; `item` is null in the single row of a page that selects nothing. */
type ChangeRow = { txid: string; item: ReconciledOrder | null; end_txid: string; end_order_id: string }

/** The most rows that one read scans, so that a selective filter cannot make it long. */
const SCAN = 10_000

const PARAMETERS = ['entity', 'txid', 'order_id', 'code', 'broadcast_month', 'limit', 'scan'] as const
const CHANGES: Record<Side, Statement<(typeof PARAMETERS)[number]>> = { buyer: changesOf('buyer'), seller: changesOf('seller') }

/** Builds the statement for a page of a side's changes, in their order. */
function changesOf(side: Side): Statement<(typeof PARAMETERS)[number]> {
  return statement(
    `list-reconciled-of-${side}`,
    PARAMETERS,
    `with scanned as materialized (
        select * from reconciliations
        where ${side === 'buyer' ? 'buyer_entity' : 'seller'} = :entity
          and (changed_txid, order_id) > (:txid::text::xid8, :order_id) and changed_txid < ${HORIZON}
        order by changed_txid, order_id limit :scan
      ), picked as (
        select * from scanned
        where (:code::text is null or :code = any(codes)) and (:broadcast_month::text is null or :broadcast_month = any(broadcast_months))
        order by changed_txid, order_id limit :limit
      ), ending as (
        select changed_txid, order_id from scanned order by changed_txid desc, order_id desc limit 1
      )
      select p.changed_txid::text as txid, ending.changed_txid::text as end_txid, ending.order_id as end_order_id,
        case when p.order_id is not null then json_strip_nulls(json_build_object('order_id', p.order_id, 'seller', p.seller,
          'buyer_entity', p.buyer_entity, 'agreement_id', p.agreement_id, 'revision', p.revision, 'state', p.state, 'currency', p.currency,
          'reconciled_at', ${utcText('p.reconciled_at')},
          'codes', p.codes, 'broadcast_months', p.broadcast_months, 'totals', p.totals)) end as item
      from ending left join picked p on true order by p.changed_txid, p.order_id`,
  )
}
