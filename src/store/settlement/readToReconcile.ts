import type { AgreedMakegood, MissedUnits } from '../../contract/makegood.ts'
import type { BookedGuarantee } from '../../domain/settlement/bookedGuarantees.ts'
import type { BookedSpots, SpotWindow } from '../../domain/settlement/bookedSpots.ts'
import type { Tolerance } from '../../domain/settlement/reconcile.ts'
import type { SellerRow } from '../../domain/settlement/sellerRows.ts'
import type { AgreedSlots } from '../../domain/settlement/spotsAndClaims.ts'
import type { Database } from '../connection/database.ts'
import { type Statement, statement } from '../connection/statement.ts'

/** The spots and rows of an order that the rules match, and its current reconciliation. */
export interface ToReconcile {
  readonly head: ReconciledHead
  readonly booked: BookedSpots[]
  readonly rows: SellerRow[]
  /** The spots of its agreed makegoods. */
  readonly agreed: AgreedSlots[]
  /** The broadcast month of each invoice that has rows of this order. */
  readonly invoiceMonths: Map<string, string>
}

export interface ReconciledHead {
  readonly order_id: string
  readonly seller: string
  readonly buyer_entity: string
  readonly agreement_id: string | null
  readonly currency: string
  readonly guarantees: readonly BookedGuarantee[]
  /** The tolerance of the agreement as it is now. */
  readonly tolerance: Tolerance
  /** The digest of its reconciliation, as hex text; null if there is none yet. */
  readonly digest: string | null
}

type Pool = Pick<Database, 'pool'>

/** Reads orders of a seller with their spots and rows. Skips orders that are not booked. */
export async function readToReconcile(db: Pool, seller: string, orderIds: readonly string[]): Promise<ToReconcile[]> {
  return readRows(db, await readHeads(db, seller, orderIds))
}

/** Reads the spots and rows of orders, with one statement per table. */
export async function readRows({ pool }: Pool, heads: readonly ReconciledHead[]): Promise<ToReconcile[]> {
  const orders = new Map(
    heads.map((head) => [head.order_id, { head, booked: [], rows: [], agreed: [], invoiceMonths: new Map() } as ToReconcile]),
  )
  if (orders.size === 0) return []
  const read = async <Read extends Group>(groups: Statement<'order_ids'>, add: (order: ToReconcile, group: Read) => void) => {
    const { rows } = await pool.query<Read>(groups.bind({ order_ids: [...orders.keys()] }))
    for (const group of rows) add(orders.get(group.order_id) as ToReconcile, group)
  }
  await read<GroupOfSpots>(SPOTS, (order, group) => addSpots(order.booked, group))
  await read<GroupOfRows>(AIRED, (order, group) => addRows(order.rows, 'as_run', group))
  await read<GroupOfBills>(BILLED, (order, group) => {
    addRows(order.rows, 'invoice', group)
    order.invoiceMonths.set(group.invoice_number, group.broadcast_month)
  })
  const { rows: agreed } = await pool.query<AgreedRow>(AGREED.bind({ order_ids: [...orders.keys()] }))
  for (const row of agreed) orders.get(row.order_id)?.agreed.push(slotsOf(row))
  return [...orders.values()]
}

export async function readHeads({ pool }: Pool, seller: string, orderIds: readonly string[]): Promise<ReconciledHead[]> {
  const { rows } = await pool.query<ReconciledHead & { tolerance: Tolerance | null }>(HEADS.bind({ seller, order_ids: orderIds }))
  return rows.map((head) => ({ ...head, tolerance: head.tolerance ?? {} }))
}

/** Rows of an order that differ only in date and time. Dates and times are comma-separated; a time that a row does not state is empty. */
interface AgreedRow {
  readonly order_id: string
  readonly makegood_id: string
  readonly agreed: AgreedMakegood
  readonly missed: MissedUnits[]
}

function slotsOf({ makegood_id, agreed, missed }: AgreedRow): AgreedSlots {
  const { product_id, network, date, units, spot_length, windows, billing, replaces } = agreed
  const [first] = missed
  return {
    ...{
      makegood_id,
      product_id,
      network,
      air_date: date,
      units,
      spot_length,
      windows,
      billing,
      reason: first?.reason ?? first?.reason_code ?? '',
    },
    replaces: replaces.map((spots) => ({
      unit_id: spots.unit_id,
      network: spots.network,
      air_date: spots.date,
      units: spots.units,
      gross: spots.gross,
    })),
  }
}

interface Group {
  readonly order_id: string
  readonly air_dates: string
}

interface GroupOfSpots extends Group, Omit<BookedSpots, 'air_date' | 'windows' | 'isci'> {
  /** As JSON text. */
  readonly windows: string
  readonly isci: string
}

interface GroupOfRows extends Group, Pick<SellerRow, 'network' | 'clock' | 'spot_length' | 'ran'> {
  readonly air_times: string
  readonly isci: string | null
  readonly unit_id: string | null
  readonly makegood_for_unit_id: string | null
  readonly makegood_for_date: string | null
  readonly noted: NotedRow | null
  readonly reason?: string | null
  readonly rate?: string
  readonly invoice_number?: string
}

type NotedRow = Pick<SellerRow, 'makegood_for' | 'is_bonus' | 'is_adu' | 'is_credit' | 'seller_line_id'>
const NOTHING_NOTED: NotedRow = {}

interface GroupOfBills extends GroupOfRows {
  readonly invoice_number: string
  readonly broadcast_month: string
}

function addSpots(booked: BookedSpots[], group: GroupOfSpots): void {
  const { unit_id, network, kind, product_id, units, spot_length, price, gross } = group
  const windows = JSON.parse(group.windows) as SpotWindow[]
  const isci = JSON.parse(group.isci) as string[]
  for (const air_date of group.air_dates.split(',')) {
    booked.push({ unit_id, network, air_date, kind, product_id, units, spot_length, windows, isci, price, gross })
  }
}

/** Adds rows. Names every value, without a spread: millions of rows are made here, and objects of one shape cost a fraction. */
function addRows(rows: SellerRow[], record_type: SellerRow['record_type'], group: GroupOfRows): void {
  const { network, clock, spot_length, ran, invoice_number } = group
  const isci = group.isci ?? undefined
  const unit_id = group.unit_id ?? undefined
  const makegood_for_unit_id = group.makegood_for_unit_id ?? undefined
  const makegood_for_date = group.makegood_for_date ?? undefined
  const { makegood_for, is_bonus, is_adu, is_credit, seller_line_id } = group.noted ?? NOTHING_NOTED
  const reason = group.reason ?? undefined
  const rate = group.rate === undefined ? undefined : Number(group.rate)
  const dates = group.air_dates.split(',')
  const times = group.air_times.split(',')
  for (let index = 0; index < dates.length; index += 1) {
    rows.push({
      record_type,
      network,
      air_date: dates[index] as string,
      air_time: times[index] || undefined,
      clock,
      spot_length,
      isci,
      unit_id,
      makegood_for_unit_id,
      makegood_for_date,
      makegood_for,
      is_bonus,
      is_adu,
      is_credit,
      seller_line_id,
      ran,
      reason,
      invoice_number,
      rate,
    })
  }
}

/** Reads those of the orders that are booked, in any order. Reads an agreement only once for all of its orders. */
const HEADS = statement(
  'orders-to-reconcile',
  ['seller', 'order_ids'],
  `with booked as materialized (
      select order_id, seller, buyer_entity, agreement_id, currency, guarantees from booked_orders
      where seller = :seller and order_id = any(:order_ids::text[])
    ), terms as materialized (
      select agreement_id, body->'reconciliation' as tolerance from agreements where agreement_id in (select agreement_id from booked)
    )
    select b.*, encode(r.digest, 'hex') as digest, tolerance
    from booked b left join reconciliations r on r.order_id = b.order_id left join terms t on t.agreement_id = b.agreement_id`,
)

/**
 * Reads rows of orders in groups that differ only in the listed columns: a value that a group shares is written, sent and read once, which
 * is most of the cost of single rows. Uses a list of ids, so that a page with rows of several orders is read once; a join may scan.
 */
const readGroups = (name: string, table: string, columns: readonly string[], lists: readonly string[]) =>
  statement(
    name,
    ['order_ids'],
    `select order_id, ${columns.join(', ')}, ${lists.join(', ')} from ${table}
      where order_id = any(:order_ids::text[]) group by order_id, ${columns.map((column) => column.replace(/ as .*/, '')).join(', ')}`,
  )

const DATES = `string_agg(air_date::text, ',') as air_dates`
const TIMES = `string_agg(coalesce(air_time, ''), ',') as air_times`
const ROW = ['network', 'clock', 'spot_length', 'isci', 'unit_id', 'makegood_for_unit_id', 'makegood_for_date', 'ran', 'noted']

/** Reads the spots of orders. Compares JSON as text, since JSON has no equality. */
const SPOTS = readGroups(
  'spots-to-reconcile',
  'booked_spots',
  ['unit_id', 'kind', 'network', 'product_id', 'units', 'spot_length', 'windows::text as windows', 'isci::text as isci', 'price', 'gross'],
  [DATES],
)
/** Reads the rows of orders' logs. */
const AIRED = readGroups('airings-to-reconcile', 'as_run_rows', [...ROW, 'reason'], [DATES, TIMES])
/** Reads the rows of orders' invoices. */
const BILLED = readGroups('bills-to-reconcile', 'billed_rows', [...ROW, 'invoice_number', 'rate', 'broadcast_month'], [DATES, TIMES])

/** Reads the agreed makegoods of orders. */
const AGREED = statement(
  'agreed-makegoods',
  ['order_ids'],
  `select order_id, makegood_id, agreed, missed from makegoods where order_id = any(:order_ids::text[]) and status = 'accepted'`,
)
