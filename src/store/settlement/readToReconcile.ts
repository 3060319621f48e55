import { randomUUID } from 'node:crypto'
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

/** Reads orders of a seller with their spots and rows. Leaves out orders that are not booked. */
export async function readToReconcile(db: Pool, seller: string, orderIds: readonly string[], by?: TextOf): Promise<ToReconcile[]> {
  return readRows(db, await readHeads(db, seller, orderIds), by)
}

/** Reads the spots and rows of orders, each table once for all of them. */
export async function readRows({ pool }: Pool, heads: readonly ReconciledHead[], by: TextOf = 'order'): Promise<ToReconcile[]> {
  const orders = heads.map((head): ToReconcile => ({ head, booked: [], rows: [], invoiceMonths: new Map() }))
  if (orders.length === 0) return []
  const order_ids = heads.map(({ order_id }) => order_id)
  const read = async (table: ReadTable, add: (order: ToReconcile, fields: readonly string[], at: number) => void) => {
    for (const { place, fields } of await readTexts({ pool }, table, by, order_ids)) {
      const order = orders[place - 1] as ToReconcile
      for (let at = 0; at < fields.length; at += table.columns) add(order, fields, at)
    }
  }
  const parsed = new Map<string, unknown>()
  /** Most spots of an order have the same windows and codes. */
  const listOf = <T>(text: string): readonly T[] => {
    if (!parsed.has(text)) parsed.set(text, JSON.parse(text))
    return parsed.get(text) as T[]
  }
  await read(SPOTS, (order, fields, at) => order.booked.push(spotsOf(fields, at, listOf)))
  await read(AIRED, (order, fields, at) => order.rows.push(airingOf(fields, at)))
  await read(BILLED, (order, fields, at) => {
    const billed = billOf(fields, at)
    order.rows.push(billed)
    order.invoiceMonths.set(billed.invoice_number, fields[at + BILL_MONTH] as string)
  })
  return orders
}

export async function readHeads({ pool }: Pool, seller: string, orderIds: readonly string[]): Promise<ReconciledHead[]> {
  const { rows } = await pool.query<ReconciledHead & { tolerance: Tolerance | null }>(HEADS.bind({ seller, order_ids: orderIds }))
  return rows.map((head) => ({ ...head, tolerance: head.tolerance ?? {} }))
}

/** What one text holds: all rows of an order, or one row, as it must be where all would be longer than a text may be. */
export type TextOf = 'order' | 'row'

/** How the rows of a table are read. */
interface ReadTable extends Readonly<Record<TextOf, Statement<'order_ids' | 'separator'>>> {
  readonly columns: number
}

/** Rows of an order, column by column and one after the other. `place` is that of the order in what was asked for, from 1 on. */
interface RowFields {
  readonly place: number
  readonly fields: readonly string[]
}

/**
 * Reads rows as one text for each order and splits it here, which costs a third of a value for each column. A text of a seller may have the
 * separator in it: then there are too many fields, and another separator is tried, which nobody can foresee.
 */
async function readTexts({ pool }: Pool, table: ReadTable, by: TextOf, order_ids: readonly string[]): Promise<RowFields[]> {
  for (let separator = USUAL_SEPARATOR; ; separator = randomUUID()) {
    const asked = { ...table[by].bind({ order_ids, separator }), rowMode: 'array' as const }
    const { rows } = await pool.query<[place: number, count: number, text: string]>(asked)
    const read = rows.map(([place, count, text]) => ({ place, count, fields: text.split(separator) }))
    if (read.every(({ count, fields }) => fields.length === count * table.columns)) return read
  }
}

const USUAL_SEPARATOR = '\u001f'

function spotsOf(fields: readonly string[], at: number, listOf: <T>(text: string) => readonly T[]): BookedSpots {
  return {
    unit_id: fields[at] as string,
    network: fields[at + 3] as string,
    air_date: fields[at + 1] as string,
    kind: fields[at + 2] as BookedSpots['kind'],
    product_id: fields[at + 4] as string,
    units: Number(fields[at + 5]),
    spot_length: Number(fields[at + 6]),
    windows: listOf<SpotWindow>(fields[at + 7] as string),
    isci: listOf<string>(fields[at + 8] as string),
    price: fields[at + 9] as string,
    gross: fields[at + 10] as string,
  }
}

function airingOf(fields: readonly string[], at: number): SellerRow {
  return sellerRow('as_run', fields, at, textOf(fields[at + ROW_COLUMNS]), undefined, undefined)
}

function billOf(fields: readonly string[], at: number): SellerRow & { invoice_number: string } {
  const invoice_number = fields[at + ROW_COLUMNS] as string
  const rate = Number(fields[at + ROW_COLUMNS + 1])
  return sellerRow('invoice', fields, at, undefined, invoice_number, rate) as SellerRow & { invoice_number: string }
}

/** One literal for both, without a spread: millions of rows are made here, and objects of one shape cost a fraction. */
function sellerRow(
  record_type: SellerRow['record_type'],
  fields: readonly string[],
  at: number,
  reason: string | undefined,
  invoice_number: string | undefined,
  rate: number | undefined,
): SellerRow {
  return {
    record_type,
    network: fields[at] as string,
    air_date: fields[at + 1] as string,
    air_time: textOf(fields[at + 2]),
    clock: fields[at + 3] as SellerRow['clock'],
    spot_length: Number(fields[at + 4]),
    isci: textOf(fields[at + 5]),
    unit_id: textOf(fields[at + 6]),
    makegood_for_unit_id: textOf(fields[at + 7]),
    makegood_for_date: textOf(fields[at + 8]),
    ran: fields[at + 9] === 't',
    reason,
    invoice_number,
    rate,
  }
}

/** What a row does not say is an empty field: texts that it says have a character at least. */
function textOf(field: string | undefined): string | undefined {
  return field === '' ? undefined : field
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

/** Columns of a table by their place. Texts that a row does not have become empty. */
const readTable = (name: string, table: string, columns: readonly string[]): ReadTable => {
  const fields = `concat_ws(:separator::text, ${columns.join(', ')})`
  const read = (of: TextOf, selected: string) =>
    statement(
      `${name}-by-${of}`,
      ['order_ids', 'separator'],
      // The fence keeps the plan from walking the whole table.
      `select o.place::int, r.rows, r.text from unnest(:order_ids::text[]) with ordinality as o (order_id, place)
        cross join lateral (select ${selected} from ${table} r where r.order_id = o.order_id offset 0) r where r.rows > 0`,
    )
  return {
    columns: columns.length,
    order: read('order', `count(*)::int as rows, string_agg(${fields}, :separator::text) as text`),
    row: read('row', `1 as rows, ${fields} as text`),
  }
}

const ROW = [
  ...['network', 'air_date', `coalesce(air_time, '')`, 'clock', 'spot_length', `coalesce(isci, '')`, `coalesce(unit_id, '')`],
  ...[`coalesce(makegood_for_unit_id, '')`, `coalesce(makegood_for_date::text, '')`, 'ran'],
]
const ROW_COLUMNS = ROW.length
const BILL_MONTH = ROW_COLUMNS + 2

/** Spots of orders. */
const SPOTS = readTable('spots-to-reconcile', 'booked_spots', [
  ...['unit_id', 'air_date', 'kind', 'network', 'product_id', 'units', 'spot_length', 'windows', 'isci', 'price', 'gross'],
])
/** Rows of logs of orders. */
const AIRED = readTable('airings-to-reconcile', 'as_run_rows', [...ROW, `coalesce(reason, '')`])
/** Rows of invoices of orders. */
const BILLED = readTable('bills-to-reconcile', 'billed_rows', [...ROW, 'invoice_number', 'rate', 'broadcast_month'])
