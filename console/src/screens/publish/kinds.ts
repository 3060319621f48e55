import type { PublishKind } from '../../api/queries/publishing.ts'
import type { EditRow } from '../../ui/EditGrid.tsx'
import { mondayOf } from '../../ui/Period.tsx'
import { type CellKind, entryOf, type PublishColumn, rowOf } from './cells.ts'

/** A kind of data that is published as rows: its columns, and the values that all rows share. */
export interface Kind {
  readonly id: PublishKind
  readonly title: string
  readonly columns: readonly PublishColumn[]
  readonly head: readonly HeadField[]
  /** The member of the body that holds the entries. */
  readonly list: 'products' | 'entries' | 'avails'
  readonly bodyOf: (head: EditRow, rows: readonly EditRow[]) => object
}

export interface HeadField {
  readonly id: string
  readonly title: string
  readonly placeholder: string
  readonly width: number
  readonly required?: boolean
}

function column(id: string, title: string, width: number, kind: CellKind = 'text'): PublishColumn {
  return { id, title, width, kind, ...(kind === 'number' && { align: 'right' as const }) }
}

const CATALOG: Kind = {
  id: 'catalog',
  title: 'Catalog',
  list: 'products',
  head: [{ id: 'taxonomy_version', title: 'Taxonomy', placeholder: '2027-01', width: 140, required: true }],
  columns: [
    column('product_id', 'Product', 170),
    column('type', 'Type', 80),
    column('network', 'Network', 90),
    column('name', 'Name', 150),
    column('status', 'Status', 90),
    column('buy_types', 'Buy types', 170, 'list'),
    column('grains', 'Grains', 90, 'list'),
    column('visibility', 'Visibility', 90),
    column('spot_lengths', 'Lengths', 90, 'numbers'),
    column('advertiser_classes', 'Advertiser classes', 130, 'list'),
    column('currencies', 'Audience codes', 120, 'list'),
    column('definition.selling_title', 'Selling title', 130),
    column('definition.title', 'Program title', 130),
    column('definition.days', 'Days', 150, 'list'),
    column('definition.start', 'Start', 64),
    column('definition.end', 'End', 64),
    column('definition.timezone', 'Time zone', 140),
    column('definition.windows', 'Windows', 200, 'windows'),
    column('definition.occurrences', 'Occurrences', 200, 'occurrences'),
    column('disclosure.pricing_policy', 'Pricing', 90),
    column('disclosure.avails_policy', 'Avails', 90),
    column('effective.start', 'From', 96),
    column('effective.end', 'Until', 96),
    column('posting_policy', 'Posting', 110),
    column('reporting_dayparts', 'Reporting', 110, 'list'),
    column('external_ref', 'Your reference', 110),
    column('mirror_product_id', 'Mirror of', 140),
    column('billboard', 'Billboard', 110, 'json'),
  ],
  bodyOf: (head, rows) => ({ ...plain(head), products: rows.map((row) => entryOf(CATALOG.columns, row)) }),
}

const RATES: Kind = {
  id: 'rates',
  title: 'Rates',
  list: 'entries',
  head: [
    { id: 'commit', title: 'Card', placeholder: 'winter-2027', width: 190, required: true },
    { id: 'effective.start', title: 'From', placeholder: 'first week', width: 110 },
    { id: 'effective.end', title: 'Until', placeholder: 'last week', width: 110 },
    { id: 'agreement_id', title: 'Agreement', placeholder: 'none: open card', width: 150 },
  ],
  columns: [
    column('product_id', 'Product', 180),
    column('week', 'Week', 92),
    column('spot_length', 'Len', 52, 'number'),
    column('gross_rate_unit', 'Rate', 92, 'number'),
    column('gross_rate_cpm', 'CPM', 76, 'number'),
    column('currency', 'Currency', 76),
    column('market_class', 'Market', 96),
    column('advertiser_class', 'Advertiser class', 120),
    column('buy_type', 'Buy type', 130),
    column('clearance_tier', 'Tier', 60),
    column('guaranteed_impressions', 'Guarantee', 92, 'number'),
    column('audience_code', 'Audience', 84),
    column('window.opens', 'Opens', 150),
    column('window.closes', 'Closes', 150),
    column('quote_expires_at', 'Quote until', 150),
  ],
  bodyOf: (head, rows) => {
    const { commit, agreement_id, ...effective } = head
    const entries = rows.map((row) => entryOf(RATES.columns, row))
    return { ...plain({ commit: commit ?? '', agreement_id: agreement_id ?? '' }), effective: effectiveOf(effective, rows), entries }
  },
}

const AVAILS: Kind = {
  id: 'avails',
  title: 'Avails',
  list: 'avails',
  head: [],
  columns: [
    column('product_id', 'Product', 180),
    column('period.start', 'Period', 96),
    column('state', 'State', 96),
    column('spots.available', 'Spots', 76, 'number'),
    column('units.available', 'Units', 76, 'number'),
    column('sellout_level', 'Sellout', 76, 'number'),
    column('basis', 'Basis', 96),
    column('impressions.source', 'Source', 96),
    column('impressions.stream', 'Stream', 84),
    column('impressions', 'Impressions a spot', 220, 'codes'),
  ],
  bodyOf: (_, rows) => ({ avails: rows.map(availOf) }),
}

export const KINDS: Readonly<Record<PublishKind, Kind>> = { catalog: CATALOG, rates: RATES, avails: AVAILS }

/** Builds an avail; the notation of a period tells its length. */
function availOf(row: EditRow): object {
  const { 'impressions.source': source = '', 'impressions.stream': stream = '', impressions = '', ...rest } = row
  const start = row['period.start'] ?? ''
  const counted = entryOf(AVAILS.columns, { impressions }).impressions
  const about = plain({ source, stream })
  const named = typeof counted === 'object' ? { ...about, ...counted } : (counted ?? about)
  return {
    ...entryOf(AVAILS.columns, rest),
    ...(start !== '' && { period: { grain: grainOf(start), start } }),
    ...((typeof named !== 'object' || Object.keys(named as object).length > 0) && { impressions: named }),
  }
}

export function availRow({ impressions = {}, ...avail }: { impressions?: Record<string, unknown> | undefined }): EditRow {
  const { source, stream, ...counted } = impressions
  const about = rowOf(AVAILS.columns, { ...avail, impressions: { source, stream } })
  const { impressions: _, ...shown } = about
  return Object.keys(counted).length === 0 ? shown : { ...shown, ...rowOf(AVAILS.columns, { impressions: counted }) }
}

function grainOf(start: string): 'day' | 'week' | 'month' {
  if (start.includes('W')) return 'week'
  return start.length > 7 ? 'day' : 'month'
}

/** Returns the window of a card; a missing date is taken from the first or the last week. */
function effectiveOf(head: EditRow, rows: readonly EditRow[]): { start?: string; end?: string } {
  const weeks = rows.flatMap(({ week }) => (week && mondayOf(week) ? [week] : [])).sort()
  const [start, end] = [head['effective.start'] || dateIn(weeks[0], 0), head['effective.end'] || dateIn(weeks.at(-1), 6)]
  return { ...(start && { start }), ...(end && { end }) }
}

function dateIn(week: string | undefined, day: number): string | undefined {
  const monday = week === undefined ? undefined : mondayOf(week)
  return monday && new Date(monday.getTime() + day * 86_400_000).toISOString().slice(0, 10)
}

function plain(texts: EditRow): object {
  return Object.fromEntries(Object.entries(texts).flatMap(([id, text]) => (text.trim() === '' ? [] : [[id, text.trim()]])))
}
