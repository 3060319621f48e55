import type pg from 'pg'

export interface Filling {
  /** An order that was made by the product: what is copied, with every row that it has in any table. */
  orderId: string
  /** Numbers of the copies: the first, and one after the last. */
  from: number
  to: number
}

const BATCH = 20_000
/** Batches at a time: a batch is the work of one core of the database. */
const LANES = 2

/**
 * Copies an order with all of its rows, under ids that rise, by one statement for each table: the rows are those that the product made, in number,
 * width and index entries. Asks the catalog which tables and columns there are, so that it stays right when they change.
 */
export async function fillBook(pool: pg.Pool, { orderId, from, to }: Filling, onProgress: (filled: number) => void): Promise<void> {
  const statements = await copyStatements(pool)
  let next = from
  let filled = 0
  const lane = async () => {
    while (next < to) {
      const first = next
      next = Math.min(first + BATCH, to)
      const copies = next - first
      await fillBatch(pool, statements, [orderId, first, next - 1])
      filled += copies
      onProgress(filled)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

async function fillBatch(
  pool: pg.Pool,
  statements: readonly string[],
  values: readonly [orderId: string, first: number, last: number],
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin; set local synchronous_commit = off')
    for (const text of statements) await client.query(text, [...values])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

/** The tables that have rows of orders. */
export async function tablesOfOrders(pool: pg.Pool): Promise<string[]> {
  return [...new Set((await columnsOfOrders(pool)).map(({ table }) => table))]
}

interface Column {
  table: string
  name: string
  type: string
  /** The database makes its value: an identity, or the id of the transaction. */
  isMade: boolean
  isText: boolean
}

async function columnsOfOrders(pool: pg.Pool): Promise<Column[]> {
  const { rows } = await pool.query<Column>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
       a.attidentity <> '' or a.attgenerated <> '' or coalesce(pg_get_expr(d.adbin, d.adrelid) ~ 'xact_id|nextval', false) as "isMade",
       a.atttypid in ('text'::regtype, 'json'::regtype, 'jsonb'::regtype, 'varchar'::regtype) as "isText"
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'order_id' and not o.attisdropped)
     order by c.relname <> 'orders', c.relname, a.attnum`,
  )
  return rows
}

/** Each takes the order's id and the first and the last number: `orders` first, since other tables refer to it. */
async function copyStatements(pool: pg.Pool): Promise<string[]> {
  const columns = await columnsOfOrders(pool)
  return [...new Set(columns.map(({ table }) => table))].map((table) => {
    const copied = columns.filter((column) => column.table === table && !column.isMade)
    const names = copied.map(({ name }) => `"${name}"`).join(', ')
    return `insert into "${table}" (${names}) select ${copied.map(copyOf).join(', ')}
      from "${table}" o, generate_series($2::int, $3::int) as copies(nth), lateral (select 'ord_0' || lpad(copies.nth::text, 25, '0') as id) made
      where o.order_id = $1`
  })
}

function copyOf({ name, type, isText }: Column): string {
  if (name === 'order_id') return 'made.id'
  if (name === 'external_order_id') return `'fill-' || copies.nth`
  return isText ? `replace(o."${name}"::text, $1, made.id)::${type}` : `o."${name}"`
}
