import type { CellKind } from './columnsOf.ts'

/** Returns an example for a column: one of its own, else the first of its values, else one of its kind. */
export function exampleOf(path: string, name: string, kind: CellKind, values: readonly string[]): string {
  return EXAMPLES[path] ?? values[0] ?? EXAMPLES[name] ?? OF_KIND[kind]
}

const OF_KIND: Readonly<Record<CellKind, string>> = {
  text: 'text',
  number: '30',
  boolean: 'true',
  date: '2030-06-03',
  time: '19:00',
  instant: '2030-06-01T00:00:00Z',
  json: '{"note":"text"}',
}

const EXAMPLES: Readonly<Record<string, string>> = {
  product_id: 'prime-weekdays',
  network: 'WNET',
  name: 'Prime, weekdays',
  days: 'Mon|Tue|Wed|Thu|Fri',
  buy_types: 'preemptible|non_preemptible',
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
  'period.grain': 'week',
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
  stream: 'C3',
  per_spot: '120000',
  air_time: '19:29:58',
  isci: 'ABCD1234000H',
  status: 'Aired',
  broadcast_month: '2030-06',
  invoice_number: '3006-00001',
  rate: '4200.00',
}
