import { type components, itemsOf, type Operations } from '../../../client/src/index.ts'
import { amount } from '../money.ts'
import { type TableColumn, write, writeJson, writeTable } from '../output.ts'
import type { Session } from '../session.ts'

type Schemas = components['schemas']
type Avail = Schemas['AvailsReadAvail']
type Seller = Schemas['SellerListSeller']
type Product = Schemas['CatalogReadProduct'] & {
  readonly name?: string
  readonly spot_lengths?: readonly number[]
  readonly advertiser_classes?: readonly string[]
  readonly buy_types?: readonly string[]
}

export async function sellers(session: Session, options: CsvOptions): Promise<void> {
  const { operations } = await session.client()
  const rows: Seller[] = []
  const pages = itemsOf(async (cursor) => {
    const { sellers: items, next_cursor } = (await operations.listSellers({ query: { ...cursor, limit: 100 } })).body
    return { items, next_cursor }
  })
  for await (const seller of pages) rows.push(seller)
  await show(session, options, SELLERS, rows)
}

const SELLERS: readonly TableColumn<Seller>[] = [
  { head: 'seller', of: ({ seller }) => seller },
  { head: 'name', of: ({ name }) => name },
  { head: 'level', of: ({ level }) => level, right: true },
  { head: 'workflows', of: ({ workflows }) => workflows.join(' ') },
  { head: 'grains', of: ({ grains }) => grains.join(' ') },
]

export async function catalog(session: Session, options: CatalogOptions, seller: string): Promise<void> {
  const { operations } = await session.client()
  const { body } = await operations.getCatalog({ path: { seller }, query: agreementOf(options) })
  if (session.json) return writeJson(body)
  if (options.csv !== true) await write(`taxonomy ${body.taxonomy_version ?? 'none'}, rate_version ${body.rate_version ?? 'none'}\n\n`)
  await show(session, options, PRODUCTS, body.products as readonly Product[])
}

const PRODUCTS: readonly TableColumn<Product>[] = [
  { head: 'product_id', of: ({ product_id }) => product_id },
  { head: 'name', of: (product) => titleOf(product) },
  { head: 'network', of: ({ network }) => network },
  { head: 'type', of: ({ type }) => type },
  { head: 'grains', of: ({ grains }) => grains.join(' ') },
  { head: 'lengths', of: ({ spot_lengths = [] }) => spot_lengths.join(' ') },
  { head: 'classes', of: ({ advertiser_classes = [] }) => advertiser_classes.join(' ') },
  { head: 'buy types', of: ({ buy_types = [] }) => buy_types.join(' ') },
]

function titleOf({ name, definition }: Product): string {
  const { selling_title, title } = definition as { selling_title?: string; title?: string }
  return name ?? selling_title ?? title ?? ''
}

export async function avails(session: Session, options: AvailsOptions, seller: string): Promise<void> {
  await show(session, options, AVAILS, await readAvails(session, options, seller))
}

const AVAILS: readonly TableColumn<Avail>[] = [
  { head: 'product_id', of: ({ product_id }) => product_id },
  { head: 'period', of: ({ period }) => period.start },
  { head: 'state', of: ({ state }) => state },
  { head: 'available', of: ({ spots, units }) => spots?.available ?? units?.available, right: true },
  { head: 'sold', of: ({ sellout_level }) => sellout_level, right: true },
  { head: 'basis', of: ({ basis }) => basis },
  { head: 'prices', of: ({ rates }) => rates.length, right: true },
]

interface Price extends Omit<Schemas['AvailRate'], 'window'> {
  product_id: string
  period: string
  closes: string | undefined
}

export async function prices(session: Session, options: AvailsOptions, seller: string): Promise<void> {
  const read = await readAvails(session, options, seller, ({ rates }) => rates.length)
  const rows = read.flatMap(({ product_id, period, rates }) =>
    rates.map(({ window, ...rate }): Price => ({ product_id, period: period.start, ...rate, closes: window?.closes })),
  )
  await show(session, options, PRICES, rows.slice(0, options.limit))
}

const PRICES: readonly TableColumn<Price>[] = [
  { head: 'product_id', of: ({ product_id }) => product_id },
  { head: 'period', of: ({ period }) => period },
  { head: 'length', of: ({ spot_length }) => spot_length, right: true },
  { head: 'market', of: ({ market_class }) => market_class },
  { head: 'class', of: ({ advertiser_class }) => advertiser_class },
  { head: 'buy type', of: ({ buy_type }) => buy_type },
  { head: 'unit', of: ({ gross_rate_unit }) => (gross_rate_unit === undefined ? '' : amount(gross_rate_unit)), right: true },
  { head: 'cpm', of: ({ gross_rate_cpm }) => (gross_rate_cpm === undefined ? '' : amount(gross_rate_cpm)), right: true },
  { head: 'currency', of: ({ currency }) => currency },
  { head: 'closes', of: ({ closes, quote_expires_at }) => closes ?? quote_expires_at },
  { head: 'locked_rate_id', of: ({ locked_rate_id }) => locked_rate_id },
]

/** Reads avails until they count up to the limit: each counts as one, or as many as `rowsOf` says. */
async function readAvails(
  session: Session,
  options: AvailsOptions,
  seller: string,
  rowsOf: (avail: Avail) => number = () => 1,
): Promise<Avail[]> {
  const { product, weeks, length, limit = Number.POSITIVE_INFINITY } = options
  const { operations } = await session.client()
  const query: NonNullable<Parameters<Operations['getAvails']>[0]['query']> = {
    ...agreementOf(options),
    ...(product !== undefined && { product_id: product }),
    ...(weeks !== undefined && { weeks }),
    ...(length !== undefined && { spot_length: length }),
    limit: Math.min(limit, 500),
  }
  const read: Avail[] = []
  let rows = 0
  const pages = itemsOf(async (cursor) => {
    const { avails: items, next_cursor = null } = (await operations.getAvails({ path: { seller }, query: { ...query, ...cursor } })).body
    return { items, next_cursor }
  })
  for await (const avail of pages) {
    read.push(avail)
    rows += rowsOf(avail)
    if (rows >= limit) break
  }
  return read
}

function agreementOf({ agreement }: CatalogOptions): { agreement?: string } {
  return agreement === undefined ? {} : { agreement }
}

async function show<Row>(session: Session, { csv }: CsvOptions, columns: readonly TableColumn<Row>[], rows: readonly Row[]): Promise<void> {
  if (session.json) return writeJson(rows)
  if (csv !== true) return writeTable(columns, rows)
  const { renderCsv } = await import('../../adapters/tables/renderCsv.ts')
  const heads = columns.map(({ head }) => head.replaceAll(' ', '_'))
  const cells = rows.map((row) => Object.fromEntries(columns.map(({ of }, at) => [heads[at], String(of(row) ?? '')])))
  await write(renderCsv(heads, cells).toString())
}

export interface CsvOptions {
  readonly csv?: boolean
}

export interface CatalogOptions extends CsvOptions {
  readonly agreement?: string
}

export interface AvailsOptions extends CatalogOptions {
  readonly product?: string
  readonly weeks?: string
  readonly length?: number
  readonly limit?: number
}
