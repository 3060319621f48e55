import type { DropFileType } from '../../../../src/contract/vocabulary/drops.ts'

/** A file of this folder, and what becomes of it. */
export interface Variant {
  readonly file: string
  readonly type: DropFileType
  readonly what: string
  /** The members that matter of each entry that is taken, in order. */
  readonly taken?: readonly Readonly<Record<string, unknown>>[]
  readonly refused?: readonly (readonly [row: number, message: string])[]
  readonly warned?: readonly (readonly [row: number, message: string])[]
}

const notCalculated = (cell: string) =>
  `The formula in ${cell} is not calculated; open the workbook, calculate it and save it, or write the value itself.`

const typedAgain = (field: string, cell: string) =>
  `${field} has a date or time cell (${cell}), which is not what was typed; format the column as text and type it again.`
const CELLS: Pick<Variant, 'type' | 'taken' | 'refused'> = {
  type: 'delivery_posts',
  taken: [
    { air_date: '2030-06-05', air_time: '23:41:10' },
    { air_date: '2030-06-05', air_time: '25:10', clock: 'broadcast' },
    { air_date: '2030-06-05', air_time: '19:30' },
    { air_date: '2030-06-05', air_time: '09:05:00' },
  ],
  refused: [
    [6, typedAgain('isci', '2030-06-01')],
    [7, 'air_date has the time 23:41:10; it takes a date, such as 2030-06-05.'],
    [8, 'air_time has the date 2030-06-05; it takes a time, such as 19:30.'],
    [9, 'isci has the cell TRUE; format the column as text and type it again.'],
    [10, 'isci has a number of more than 15 digits, which is not exact; format the column as text and type it again.'],
  ],
}
const PERIODS: Pick<Variant, 'type' | 'taken'> = {
  type: 'avails',
  taken: [{ period: { grain: 'day', start: '2030-06-05' } }, { period: { grain: 'month', start: '2030-07' } }],
}

const HIDDEN = '2 rows of the sheet are hidden, by hand or by a filter, and read like the others.'
const FILTERED: Pick<Variant, 'type' | 'what' | 'taken' | 'warned'> = {
  type: 'rate_cards',
  what: 'rows that a filter hides are read, and counted in a warning',
  taken: [1, 2, 3, 4].map((gross_rate_unit) => ({ gross_rate_unit })),
  warned: [[0, HIDDEN]],
}

const zoned = (zone: string, ...at: readonly [date: string, time: string][]): Pick<Variant, 'type' | 'what' | 'taken'> => ({
  type: 'delivery_posts',
  what: `dates and times are those of the zone that the file names: ${zone}`,
  taken: at.map(([air_date, air_time]) => ({ air_date, air_time })),
})
const AIRED: readonly [date: string, time: string][] = [
  ['2030-06-05', '21:10'],
  ['2030-06-05', '20:00'],
  ['2030-06-05', '00:30'],
]
const inUtc = (row: number, at: string): readonly [number, string] => [
  row,
  `air_date has a moment in UTC (${at}), which does not say the local date; write a date or a time without a zone.`,
]
const PRICES: Pick<Variant, 'type' | 'what' | 'taken'> = {
  type: 'rate_cards',
  what: 'numbers have the digits that were meant',
  taken: [4200.1, 451, 0.3, 12.34].map((gross_rate_unit) => ({ gross_rate_unit })),
}

const BILLBOARD: Pick<Variant, 'type' | 'taken'> = {
  type: 'catalog',
  taken: [
    { product_id: 'prime', billboard: { rank: 3, share: 0.3, since: '2030-06-05' } },
    { product_id: 'late', definition: { selling_title: 'Prime', days: ['Mon', 'Tue'], start: '19:00', end: '22:00', timezone: 'UTC' } },
  ],
}
const broken = (file: string, why: string): readonly (readonly [number, string])[] => [[0, `${file} cannot be read: ${why}.`]]

const WEEKS: Pick<Variant, 'type' | 'what' | 'taken'> = {
  type: 'avails',
  what: 'a member that is null is absent',
  taken: [
    { basis: 'measured', spots: { available: 10 }, impressions: { source: 'Nielsen', stream: 'C3', HH: { per_spot: 1200 } } },
    { state: 'unavailable', spots: { available: 0 } },
  ],
}

/** Files of three prices, however they are written. */
const PLAIN = [
  ...['plain-pandas.csv', 'index-pandas.csv', 'quoted-pandas.csv', 'returns-pandas.csv', 'plain-polars.csv'],
  ...['plain-pandas.xlsx', 'index-pandas.xlsx', 'inline-xlsxwriter.xlsx', 'rich-xlsxwriter.xlsx', 'shown-openpyxl.xlsx'],
  ...['plain-pandas.parquet', 'index-pandas.parquet', 'types-pandas.parquet', 'fastparquet-pandas.parquet', 'zstd-polars.parquet'],
  ...['categories-polars.parquet', 'groups-pyarrow.parquet', 'v2-pyarrow.parquet', 'wide-pyarrow.parquet', 'plain-duckdb.parquet'],
  ...['types-duckdb.parquet', 'plain-duckdb.json', 'array-duckdb.json'],
]
const RATES = [
  { product_id: 'prime', spot_length: 30, gross_rate_unit: 1250.5 },
  { product_id: 'prime', spot_length: 15, gross_rate_unit: 0.85 },
  { product_id: 'prime', spot_length: 60, gross_rate_unit: 3 },
]

export const VARIANTS: readonly Variant[] = [
  {
    ...{
      file: 'formulas-xlsxwriter.xlsx',
      type: 'rate_cards',
      what: 'formulas with 0 in a workbook that asks for a calculation are refused',
    },
    taken: [{ spot_length: 15, gross_rate_unit: 15 }],
    refused: [
      [2, notCalculated('G2')],
      [3, notCalculated('G3')],
    ],
  },
  {
    ...{ file: 'formulas-openpyxl.xlsx', type: 'rate_cards', what: 'formulas without a value are refused' },
    taken: [{ spot_length: 15, gross_rate_unit: 15 }],
    refused: [
      [2, notCalculated('G2')],
      [3, notCalculated('G3')],
    ],
  },
  {
    ...{
      file: 'formulas-zero.xlsx',
      type: 'rate_cards',
      what: 'formulas that all have 0 are refused where nothing shows that they were calculated',
    },
    taken: [{ spot_length: 15, gross_rate_unit: 15 }],
    refused: [
      [2, notCalculated('G2')],
      [3, notCalculated('G3')],
    ],
  },
  {
    ...{ file: 'formulas-zero-libreoffice.xlsx', type: 'rate_cards', what: 'zeros are refused that another program saved as they were' },
    taken: [{ spot_length: 15, gross_rate_unit: 15 }],
    refused: [
      [2, notCalculated('G2')],
      [3, notCalculated('G3')],
    ],
  },
  {
    ...{ file: 'formulas-libreoffice.xlsx', type: 'rate_cards', what: 'formulas of a program that calculates have their values, also 0' },
    taken: [{ gross_rate_unit: 2700 }, { gross_rate_unit: 0 }, { gross_rate_unit: 15 }],
  },
  { ...CELLS, file: 'cells-openpyxl.xlsx', what: 'cells are read by what their column is' },
  { ...CELLS, file: 'cells-libreoffice.xlsx', what: 'cells are read by what their column is' },
  {
    ...{ file: 'cells-polars.parquet', type: 'delivery_posts', what: 'dates and times of day are read' },
    taken: ['23:41:10', '19:30', '00:00'].map((air_time) => ({ air_date: '2030-06-05', air_time })),
  },
  {
    ...{ file: 'cells-pandas.parquet', type: 'delivery_posts', what: 'a local timestamp has a date and a time; at midnight it is a date' },
    taken: ['19:30', '19:30'].map((air_time) => ({ air_date: '2030-06-05', air_time })),
    refused: [[3, 'air_time has the date 2030-06-05; it takes a time, such as 19:30.']],
  },
  {
    ...{ file: 'cells-pyarrow.parquet', type: 'delivery_posts', what: 'a date in a column of texts is refused' },
    taken: [{ air_time: '23:41:10' }, { air_time: '23:41:10' }],
    refused: [[1, typedAgain('isci', '2030-06-01')]],
  },
  {
    ...{ file: 'months-openpyxl.xlsx', type: 'delivery_posts', what: 'the first day of a month is the month' },
    taken: [{ broadcast_month: '2030-06', air_time: '19:30' }, { broadcast_month: '2030-06' }],
    refused: [[4, 'broadcast_month has the date 2030-05-27; it takes a month, such as 2030-06, or its first day.']],
  },
  {
    ...{ ...PERIODS, file: 'periods-xlsxwriter.xlsx', what: 'the start of a period is read by its grain' },
    refused: [
      [4, typedAgain('period.start', '2030-06-03')],
      [5, 'period.start has the date 2030-06-05; it takes a month, such as 2030-06, or its first day.'],
    ],
  },
  {
    ...{ ...PERIODS, file: 'periods-duckdb.parquet', what: 'the start of a period is read by its grain' },
    refused: [
      [3, typedAgain('period.start', '2030-06-03')],
      [4, 'period.start has the date 2030-06-05; it takes a month, such as 2030-06, or its first day.'],
    ],
  },
  {
    ...{ file: 'hidden-first.xlsx', type: 'rate_cards', what: 'a hidden sheet is not read' },
    taken: [{ gross_rate_unit: 2700 }],
  },
  {
    ...{ file: 'hidden-libreoffice.xlsx', type: 'rate_cards', what: 'a hidden sheet is not read' },
    taken: [{ gross_rate_unit: 2700 }],
  },
  {
    ...{ file: 'hidden-and-more.xlsx', type: 'rate_cards', what: 'of several visible sheets the first is read, and all are named' },
    taken: [{ gross_rate_unit: 2700 }],
    warned: [[0, 'The workbook has 3 visible sheets; only the first, Rates, was read, and not R&D, Notes.']],
  },
  {
    ...{ file: 'all-hidden.xlsx', type: 'rate_cards', what: 'a workbook without a visible sheet is refused' },
    refused: [[0, 'all-hidden.xlsx cannot be read: it has no visible sheet.']],
  },
  { ...FILTERED, file: 'filtered-openpyxl.xlsx' },
  { ...FILTERED, file: 'filtered-libreoffice.xlsx' },
  { ...zoned('America/New_York', ...AIRED), file: 'zone-new-york-pandas.parquet' },
  { ...zoned('America/New_York', ...AIRED), file: 'zone-new-york-polars.parquet' },
  { ...zoned('Europe/Berlin', ...AIRED), file: 'zone-berlin-pandas.parquet' },
  { ...zoned('UTC', ...AIRED), file: 'zone-utc-pandas.parquet' },
  { ...zoned('America/New_York', ...AIRED), file: 'zone-int96-pandas.parquet' },
  {
    ...{ file: 'zone-duckdb.parquet', type: 'delivery_posts', what: 'a moment of which the file names no zone has no date' },
    refused: [inUtc(1, '2030-06-06 01:10:00')],
  },
  { ...PRICES, file: 'doubles-pyarrow.parquet' },
  { ...PRICES, file: 'floats-pyarrow.parquet' },
  { ...PRICES, file: 'doubles-pandas.csv' },
  { ...PRICES, file: 'doubles-polars.xlsx' },
  {
    ...{ file: 'long-pyarrow.parquet', type: 'rate_cards', what: 'a number that is not exact is refused with its reason' },
    taken: [{ gross_rate_unit: 12.34 }, { gross_rate_unit: 2 }],
    refused: [
      [2, 'gross_rate_unit has a number of more than 15 digits, which is not exact; a number has at most 15.'],
      [3, 'gross_rate_unit must be a number; "NaN" was sent'],
    ],
  },
  {
    ...{ ...BILLBOARD, file: 'billboard-pyarrow.parquet', what: 'a struct is JSON; bytes in a column that nobody needs do no harm' },
    warned: [[0, 'The column artwork is not a known column and was ignored.']],
  },
  { ...BILLBOARD, file: 'billboard-polars.parquet', what: 'a struct is JSON' },
  {
    ...{ file: 'maps-pyarrow.parquet', type: 'catalog', what: 'a map has its values by their names' },
    taken: [{ product_id: 'prime', billboard: { rank: 3, of: 10 } }, { product_id: 'late' }],
  },
  { ...PRICES, file: 'effective-pyarrow.parquet', what: 'the window of a commit may be a struct' },
  { ...PRICES, file: 'nulls-pyarrow.parquet', what: 'a page without a value is read' },
  {
    ...{ file: 'bytes-pyarrow.parquet', type: 'rate_cards', what: 'bytes in a column of texts are named' },
    refused: broken('bytes-pyarrow.parquet', 'the column clearance_tier has bytes that are not UTF-8 text'),
  },
  {
    ...{ file: 'interval-duckdb.parquet', type: 'delivery_posts', what: 'a type that is not supported is named' },
    refused: broken('interval-duckdb.parquet', 'its column air_time has the type INTERVAL, which is not supported'),
  },
  {
    ...{ file: 'encrypted-pyarrow.parquet', type: 'rate_cards', what: 'an encrypted column is named' },
    refused: broken('encrypted-pyarrow.parquet', 'its column gross_rate_unit is encrypted'),
    warned: [[0, 'The column notes is not a known column and was ignored.']],
  },
  {
    ...{ ...PRICES, file: 'encrypted-notes-pyarrow.parquet', what: 'an encrypted column that nobody needs does no harm' },
    warned: [[0, 'The column notes is not a known column and was ignored.']],
  },
  {
    ...{ file: 'sep-semicolons.csv', type: 'rate_cards', what: 'a first line of Excel names the delimiter' },
    taken: [{ gross_rate_unit: 1250.5 }, { advertiser_class: 'gen;eral', gross_rate_unit: 1 }],
  },
  {
    ...{ file: 'sep-commas.csv', type: 'rate_cards', what: 'a first line of Excel names the delimiter' },
    taken: [{ gross_rate_unit: 1250 }],
  },
  {
    ...{ file: 'short-rows.csv', type: 'rate_cards', what: 'cells that are left out at the end of a row are empty' },
    taken: [{ gross_rate_unit: 1250 }, { gross_rate_unit: 0.85 }, { gross_rate_unit: 2, clearance_tier: 'P2' }],
    refused: [
      [5, 'The row has 10 cells; the header has 9. A cell that has a comma stands in quotes: "Mon, Tue".'],
      ...['advertiser_class', 'spot_length', 'buy_type'].map((field) => [6, `${field} is required`] as const),
      [6, 'The entry must have exactly one of gross_rate_unit and gross_rate_cpm; it has neither.'],
    ],
  },
  ...['title.csv', 'title-openpyxl.xlsx', 'title-libreoffice.csv'].map(
    (file): Variant => ({
      ...{ file, type: 'rate_cards', what: 'a title above the header is named once' },
      refused: [[1, 'The header is in row 3, and not the first row; delete what is above it.']],
    }),
  ),
  ...['semicolons.csv', 'semicolons-and-a-comma.csv', 'semicolons-pandas.csv'].map(
    (file): Variant => ({
      ...{ file, type: 'rate_cards', what: 'another delimiter is named with what to do' },
      refused: [
        [1, 'The columns are separated by semicolons; save it as "CSV UTF-8 (comma delimited)", or put a line sep=; above the header.'],
      ],
    }),
  ),
  {
    ...{ file: 'decimal-commas.csv', type: 'rate_cards', what: 'what to do about a form of numbers is said once in a column' },
    refused: [
      [2, 'gross_rate_unit must be a number; "1250,50" was sent: this column uses commas as decimals; write 1250.50.'],
      [3, 'gross_rate_unit must be a number; "1250,50" was sent'],
      [4, 'gross_rate_unit must be a number; "1250,50" was sent'],
      [
        5,
        'gross_rate_unit must be a number; "1,250" was sent: write numbers without commas, 1250, or with a point before the decimals, 1.250.',
      ],
    ],
  },
  {
    ...{ file: 'words.csv', type: 'rate_cards', what: 'what to do about a form of numbers is said; signs and seconds are read' },
    taken: [
      { spot_length: 15, gross_rate_unit: 1250 },
      { spot_length: 60, gross_rate_unit: 1 },
    ],
    refused: [
      [
        2,
        'gross_rate_unit must be a number; "1.25E+03" was sent: a spreadsheet shortens numbers to this form and may round them; format the column as numbers, and save it again.',
      ],
      [
        5,
        'gross_rate_unit must be a number; "12.3456789012345678" was sent: it has more than 15 digits, which are not exact; round it to at most 15.',
      ],
    ],
  },
  {
    ...{ file: 'cp1252.csv', type: 'rate_cards', what: 'another encoding is refused with what to do' },
    refused: broken('cp1252.csv', 'it is not UTF-8; save it as "CSV UTF-8 (comma delimited)"'),
  },
  {
    ...{ file: 'utf-16.csv', type: 'rate_cards', what: 'another encoding is refused with what to do' },
    refused: broken('utf-16.csv', 'it is UTF-16, not csv; save it as "CSV UTF-8 (comma delimited)"'),
  },
  { ...WEEKS, file: 'nulls-pandas.json' },
  { ...WEEKS, file: 'nulls-polars.json' },
  {
    ...{ file: 'wrapped-pandas.json', type: 'avails', what: 'another member than that of the PUT is named' },
    refused: [[1, 'The file has its entries in the member data; they are expected in avails, or as the whole file.']],
  },
  {
    ...{ file: 'wrapped-other.json', type: 'avails', what: 'another member than that of the PUT is named' },
    refused: [[1, 'The file has its entries in the member data.avails; they are expected in avails, or as the whole file.']],
  },
  {
    ...{ file: 'wrapped-catalog.json', type: 'avails', what: 'entries of another type are named' },
    refused: [[1, 'The file has the member products of a file of the type catalog; the entries of its type are expected in avails.']],
  },
  {
    ...{ file: 'days-pandas.csv', type: 'catalog', what: 'days are read as words; a date that may be two and other times are refused' },
    refused: [
      [
        2,
        'effective.start has 06/05/2030, which may have the month or the day first, as every date of the column may; write dates such as 2030-06-05, or say it in date_order of a mapping: PUT /v1/me/files/mappings/{name}.',
      ],
      [3, 'definition.end must be a time of day as HH:MM, 00:00 to 23:59; "24:00" was sent: midnight is 00:00.'],
      [
        4,
        'definition.start must be a time of day as HH:MM, 00:00 to 23:59; "19h" was sent: write hours and minutes of 24 hours, such as 19:30.',
      ],
    ],
  },
  ...PLAIN.map((file): Variant => ({ file, type: 'rate_cards', what: 'prices are read', taken: RATES })),
  {
    ...{ file: 'tabs-polars.csv', type: 'rate_cards', what: 'another delimiter is named with what to do' },
    refused: [
      [1, 'The columns are separated by tabs; save it as "CSV UTF-8 (comma delimited)", or put a line sep= with a tab above the header.'],
    ],
  },
  {
    ...{ file: 'shown-libreoffice.csv', type: 'rate_cards', what: 'numbers that are saved as they are shown are read' },
    taken: RATES,
  },
  {
    ...{ file: 'gzip-pandas.csv', type: 'rate_cards', what: 'a packed file is named' },
    refused: broken('gzip-pandas.csv', 'it is a gzip file, not csv'),
  },
  {
    ...{ file: 'ods-libreoffice.xlsx', type: 'rate_cards', what: 'another form of workbooks is named' },
    refused: broken('ods-libreoffice.xlsx', 'it is an OpenDocument spreadsheet (ods); save it as xlsx'),
  },
  {
    ...{ file: 'xls-libreoffice.xlsx', type: 'rate_cards', what: 'another form of workbooks is named' },
    refused: broken('xls-libreoffice.xlsx', 'it is an encrypted workbook or one of the old form xls, not xlsx'),
  },
]
