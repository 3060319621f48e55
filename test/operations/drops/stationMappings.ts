import type { PutMapping } from '../../../src/contract/mapping.ts'

/** Mappings for the logs of `test/corpus/documents`, one for each layout. */

const LOG = [
  ...['Bill Code', 'Start Date', 'End Date', 'Day', 'Time In', 'Time out', 'Length', 'Show Name', 'Comments', 'Language', 'Show', 'Spots'],
  ...['Line', 'Type', 'Estimate', 'Gross', 'Make Good', 'Spot Value', 'Month', 'Broker Fees', 'Priority', 'Net', 'AE', 'Revenue Type'],
  ...['Billing Type', 'Agency', 'Affidavit', 'Notarize', 'Market', 'NO'],
]
const PLANNED = LOG.map((heading) => (heading === 'Show Name' ? 'Spot Name' : heading === 'Notarize' ? 'Contract' : heading))
const SHORT_LOG = [...LOG.slice(0, 16), 'Market']
const AS_RUN = [...LOG.slice(0, 17), 'Market']
const RUN_SHEET = [
  ...[
    'Bill Code',
    'Air Date',
    'End Date',
    'Day',
    'Time In',
    'Time out',
    'Length',
    'Media',
    'Program',
    'Lang.',
    'Format',
    '#',
    'Line',
    'Type',
  ],
  ...[
    'Estimate',
    'Gross Rate',
    'Make Good',
    'Spot Value',
    'Month',
    'Broker Fees',
    'Priority',
    'Station Net',
    'Sales Person',
    'Revenue Type',
  ],
  ...['Billing Type', 'Agency?', 'Affidavit?', 'Contract', 'Market'],
]
const REPORT = [
  ...['COD_CONTRATTO1', 'committente', 'id_contrattirighe', 'Textbox14', 'duration3', 'DATESTART2', 'timerange2', 'IMPORTO2', 'Textbox25'],
  ...['nome2', 'dateschedule', 'airtimep', 'bookingcode2', 'rowdescription'],
]

const stationLog = (headers: readonly string[], more: Partial<PutMapping> = {}): PutMapping => ({
  type: 'delivery_posts',
  headers: [...headers],
  columns: {
    network: 'Market',
    air_date: 'Start Date',
    air_time: 'Comments',
    spot_length: 'Length',
    isci: 'Show Name',
    seller_line_id: 'Line',
    is_bonus: 'Type',
    ...(headers.includes('Make Good') && { makegood_for: 'Make Good' }),
    ...more.columns,
  },
  constants: { record_type: 'as_run', status: more.constants?.status ?? 'Aired' },
  values: { is_bonus: { BNS: 'true', COM: 'false' } },
  skip: [{ column: 'Type', in: ['PRG', 'CRD'] }, ...(more.skip ?? [])],
  clock: 'broadcast',
  ...(more.date_order && { date_order: more.date_order }),
})

const PLAN = { columns: { isci: 'Spot Name' }, constants: { status: 'Planned' } }

export const MAPPINGS: Readonly<Record<string, PutMapping>> = {
  'log-short': stationLog(SHORT_LOG),
  'log-week': stationLog(LOG),
  'log-planned': stationLog(PLANNED, { ...PLAN, skip: [{ column: 'Comments', in: ['BILLING LINE'] }] }),
  'log-csv': stationLog(AS_RUN, { date_order: 'mdy' }),
  'run-sheet': stationLog(RUN_SHEET, {
    columns: { air_date: 'Air Date', air_time: 'Program', isci: 'Media' },
    constants: { status: 'Planned' },
  }),
  report: {
    type: 'delivery_posts',
    headers: REPORT,
    columns: {
      network: 'nome2',
      air_date: 'dateschedule',
      air_time: 'airtimep',
      spot_length: 'duration3',
      isci: 'bookingcode2',
      seller_line_id: 'id_contrattirighe',
      is_bonus: 'IMPORTO2',
    },
    constants: { record_type: 'as_run', status: 'Aired' },
    values: { is_bonus: { '': 'true', '*': 'false' } },
    date_order: 'mdy',
    clock: 'broadcast',
  },
}
