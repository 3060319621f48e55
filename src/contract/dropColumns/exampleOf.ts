/** Returns an example for a column, by its name, its closed list of values, or its kind. */
export function exampleOf(path: string, name: string, kind: CellKind, values: readonly string[]): string {
  return SEVERAL[name] ?? values[0] ?? EXAMPLES[path] ?? EXAMPLES[name] ?? OF_KIND[kind]
}

const OF_KIND: Readonly<Record<CellKind, string>> = {
  text: 'text',
  number: '30',
  boolean: 'true',
  date: '2030-06-03',
  month: '2030-06',
  period: '2030-W23',
  time: '19:00',
  clock: '19:29:58',
  instant: '2030-06-01T00:00:00Z',
  json: '{"note":"text"}',
}

/** The examples that replace the first value. */
const SEVERAL: Readonly<Record<string, string>> = {
  days: 'Mon|Tue|Wed|Thu|Fri',
  buy_types: 'preemptible|non_preemptible',
  grains: 'week|month',
  grain: 'week',
  stream: 'C3',
}

const EXAMPLES: Readonly<Record<string, string>> = {
  product_id: 'prime-weekdays',
  network: 'WNET',
  name: 'Prime, weekdays',
  selling_title: 'Prime',
  title: 'The Evening Film',
  timezone: 'America/New_York',
  currencies: 'P18-49|HH',
  spot_lengths: '15|30',
  advertiser_classes: 'general',
  advertiser_class: 'general',
  taxonomy_version: '2030-06',
  commit: 'upfront-2030-1',
  week: '2030-W23',
  'period.start': '2030-W23',
  currency: 'USD',
  audience_code: 'P18-49',
  gross_rate_unit: '4200.00',
  gross_rate_cpm: '21.50',
  rate_basis: 'per_unit',
  sellout_level: '0.25',
  'effective.end': '2030-09-01',
  'window.closes': '2030-06-08T00:00:00Z',
  end: '22:00',
  available: '40',
  source: 'Nielsen',
  per_spot: '120000',
  air_time: '19:29:58',
  isci: 'ABCD1234000H',
  status: 'Aired',
  broadcast_month: '2030-06',
  invoice_number: '3006-00001',
  rate: '4200.00',
  external_ref: 'TRF-1100',
  posting_policy: 'live_plus_3',
  mirror_product_id: 'prime-weekdays-west',
  agreement_id: 'agr_06h07ca6asrsx9g1pyyb8x140r',
  clearance_tier: 'P2',
  guaranteed_impressions: '184000',
  order_id: 'ord_06h07ca6asrsx9g1pyyb8x140r',
  seller_order_id: 'WNET-88213',
  external_order_id: 'spring-2030-1',
  unit_id: 'unit_06h07ca6asrx5cqx873b1enr34',
  makegood_for_unit_id: 'unit_06h07ca6asrx5cqx873b1enr34',
  makegood_for: '71003|71004',
  seller_line_id: '71011',
  log_id: 'WNET-2030-06-03',
  reason: 'Preempted by news',
  revision: '1',
  invoice_gross: '54446.80',
  invoice_commission: '8167.02',
  invoice_net: '46279.78',
  invoice_spot_count: '24',
  impressions: '844000',
}

/**
 * The meaning of a cell's text. `clock` is a time of a broadcast day, up to 29:59:59, and `period` a date, a week or a month by the grain of the
 * row.
 */
export type CellKind = 'text' | 'number' | 'boolean' | 'date' | 'month' | 'period' | 'time' | 'clock' | 'instant' | 'json'
