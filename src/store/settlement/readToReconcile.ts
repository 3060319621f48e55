import type { BookedGuarantee } from '../../domain/settlement/bookedGuarantees.ts'
import type { BookedSpots, SpotWindow } from '../../domain/settlement/bookedSpots.ts'
import type { Tolerance } from '../../domain/settlement/reconcile.ts'
import type { SellerRow } from '../../domain/settlement/sellerRows.ts'
import type { Database } from '../connection/database.ts'
import { type Statement, statement } from '../connection/statement.ts'

/** What the rules match of an order, and its reconciliation as it is. */
export interface ToReconcile {
  readonly head: ReconciledHead
  readonly booked: BookedSpots[]
  readonly rows: SellerRow[]
  /** The broadcast month of each invoice that has rows of it. */
  readonly invoiceMonths: Map<string, string>
}

export interface ReconciledHead {
  readonly order_id: string
  readonly seller: string
  readonly buyer_entity: string
  readonly agreement_id: string | null
  readonly currency: string
  readonly guarantees: readonly BookedGuarantee[]
  /** Of the agreement as it is now. */
  readonly tolerance: Tolerance
  /** Of its reconciliation, as hex text; null if there is none yet. */
  readonly digest: string | null
}

type Pool = Pick<Database, 'pool'>

/** Reads orders of a seller with their spots and rows, each table once for all of them. Leaves out orders that are not booked. */
export async function readToReconcile({ pool }: Pool, seller: string, orderIds: readonly string[]): Promise<ToReconcile[]> {
  const read = async (grouped: Statement<'order_ids'>, add: (order: ToReconcile, row: Row) => void, orders: readonly ToReconcile[]) => {
    const { rows } = await pool.query<Row>({ ...grouped.bind({ order_ids: orders.map(({ head }) => head.order_id) }), rowMode: 'array' })
    for (const row of rows) add(orders[Number(row[0]) - 1] as ToReconcile, row)
  }
  const heads = await readHeads({ pool }, seller, orderIds)
  const orders = heads.map((head): ToReconcile => ({ head, booked: [], rows: [], invoiceMonths: new Map() }))
  if (orders.length === 0) return []
  const parsed = new Map<string, unknown>()
  /** Most spots of an order have the same windows and codes. */
  const listOf = <T>(text: string): readonly T[] => {
    if (!parsed.has(text)) parsed.set(text, JSON.parse(text))
    return parsed.get(text) as T[]
  }
  await read(SPOTS, (order, row) => order.booked.push(spotsOf(row, listOf)), orders)
  await read(AIRED, (order, row) => order.rows.push(airingOf(row)), orders)
  await read(
    BILLED,
    (order, row) => {
      const billed = billOf(row)
      order.rows.push(billed)
      order.invoiceMonths.set(billed.invoice_number, row[BILL_MONTH] as string)
    },
    orders,
  )
  return orders
}

export async function readHeads({ pool }: Pool, seller: string, orderIds: readonly string[]): Promise<ReconciledHead[]> {
  const { rows } = await pool.query<ReconciledHead & { tolerance: Tolerance | null }>(HEADS.bind({ seller, order_ids: orderIds }))
  return rows.map((head) => ({ ...head, tolerance: head.tolerance ?? {} }))
}

/** A row as a list of columns, which costs half of what an object does. The first one says which of the orders it is of, from 1 on. */
type Row = (string | number | boolean | null)[]

function spotsOf(row: Row, listOf: <T>(text: string) => readonly T[]): BookedSpots {
  const [, unit_id, air_date, kind, network, product_id, units, spot_length, windows, isci, price, gross] = row
  return {
    unit_id: unit_id as string,
    network: network as string,
    air_date: air_date as string,
    kind: kind as BookedSpots['kind'],
    product_id: product_id as string,
    units: units as number,
    spot_length: spot_length as number,
    windows: listOf<SpotWindow>(windows as string),
    isci: listOf<string>(isci as string),
    price: price as string,
    gross: gross as string,
  }
}

function airingOf(row: Row): SellerRow {
  return sellerRow('as_run', row, textOf(row[ROW_COLUMNS]), undefined, undefined)
}

function billOf(row: Row): SellerRow & { invoice_number: string } {
  const invoice_number = row[ROW_COLUMNS] as string
  return sellerRow('invoice', row, undefined, invoice_number, Number(row[ROW_COLUMNS + 1])) as SellerRow & { invoice_number: string }
}

/** One literal for both, without a spread: millions of rows are made here, and objects of one shape cost a fraction. */
function sellerRow(
  record_type: SellerRow['record_type'],
  row: Row,
  reason: string | undefined,
  invoice_number: string | undefined,
  rate: number | undefined,
): SellerRow {
  const [, network, air_date, air_time, clock, spot_length, isci, unit_id, makegood_for_unit_id, makegood_for_date, ran] = row
  return {
    record_type,
    network: network as string,
    air_date: air_date as string,
    air_time: textOf(air_time),
    clock: clock as SellerRow['clock'],
    spot_length: spot_length as number,
    isci: textOf(isci),
    unit_id: textOf(unit_id),
    makegood_for_unit_id: textOf(makegood_for_unit_id),
    makegood_for_date: textOf(makegood_for_date),
    ran: ran as boolean,
    reason,
    invoice_number,
    rate,
  }
}

function textOf(value: Row[number] | undefined): string | undefined {
  return (value ?? undefined) as string | undefined
}

/** Booked orders among those, in any order. The agreement is read once for all of its orders. */
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

/** The fence keeps the plan from walking the whole table. */
const grouped = (name: string, columns: string, table: string) =>
  statement(
    name,
    ['order_ids'],
    `select o.place::int, r.* from unnest(:order_ids::text[]) with ordinality as o (order_id, place)
      cross join lateral (select ${columns} from ${table} r where r.order_id = o.order_id offset 0) r`,
  )
const ROW = 'network, air_date, air_time, clock, spot_length, isci, unit_id, makegood_for_unit_id, makegood_for_date, ran'
/** With the place of the order. */
const ROW_COLUMNS = ROW.split(', ').length + 1
const BILL_MONTH = ROW_COLUMNS + 2

/** Spots of orders, each with the place of its order. */
const SPOTS = grouped(
  'spots-to-reconcile',
  'unit_id, air_date, kind, network, product_id, units, spot_length, windows::text, isci::text, price, gross',
  'booked_spots',
)
/** Rows of logs of orders, likewise. */
const AIRED = grouped('airings-to-reconcile', `${ROW}, reason`, 'as_run_rows')
/** Rows of invoices of orders, likewise. */
const BILLED = grouped('bills-to-reconcile', `${ROW}, invoice_number, rate, broadcast_month`, 'billed_rows')
