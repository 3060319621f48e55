import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { z } from 'zod'
import { Avail } from '../../../src/contract/avail.ts'
import { type EntryError, Product } from '../../../src/contract/product.ts'
import { RateEntry } from '../../../src/contract/rateCard.ts'
import { DROP_FORMATS, type DropFileType } from '../../../src/contract/vocabulary/drops.ts'
import { stageAvails } from '../../../src/domain/publish/stageAvails.ts'
import { costFault } from '../../../src/domain/publish/stageRateCard.ts'
import { parseEntries } from '../../../src/operations/publishing/parseEntries.ts'
import { scale } from '../../attack/support/scale.ts'
import { type EntriesRead, flatRows, readEntriesOf } from './readEntries.ts'

/** What a PUT and a drop say of entries: those accepted as JSON, and the faults of the others. */
interface Outcome {
  accepted: [index: number, json: string][]
  errors: [index: number, code: string, field: string | undefined, value: unknown, message: string][]
}

type Entry = Record<string, unknown>
type Type = Exclude<DropFileType, 'delivery_posts'>

const PRODUCTS = new Map([
  ['spots', { product_id: 'spots', buy_types: ['preemptible' as const], grains: ['week' as const] }],
  ['units', { product_id: 'units', buy_types: ['audience_guaranteed' as const], grains: ['week' as const] }],
])

async function byPut(type: Type, entries: readonly Entry[]): Promise<Outcome> {
  if (type === 'avails') {
    const { parsed, errors } = await parseEntries(Avail, 'avails', entries)
    const staged = stageAvails(PRODUCTS, parsed)
    return outcome(staged.accepted, [...errors, ...staged.errors])
  }
  const { parsed, errors } = await parseEntries<unknown>(type === 'catalog' ? Product : (RateEntry as z.ZodType), 'entries', entries)
  if (type === 'catalog') return outcome(parsed, errors)
  const costs = entries.flatMap((entry, index): EntryError[] => {
    const fault = costFault(entry)
    return fault === undefined ? [] : [{ index, error_code: 'INVALID_ENTRY', field: 'gross_rate_unit', message: `The entry ${fault}.` }]
  })
  const refused = new Set(costs.map(({ index }) => index))
  return outcome(
    parsed.filter(({ index }) => !refused.has(index)),
    [...errors, ...costs],
  )
}

function outcome(accepted: readonly { index: number; value: unknown }[], errors: readonly EntryError[]): Outcome {
  return sorted({
    accepted: accepted.map(({ index, value }) => [index, JSON.stringify(value)]),
    errors: errors.map(({ index, error_code, field, value, message }) => [index, error_code, field, value, anyPlace(message)]),
  })
}

async function byDrop(type: Type, format: (typeof DROP_FORMATS)[number], entries: readonly Entry[]): Promise<Outcome> {
  const { content, indexOfRow } = await flatRows(type, format, entries)
  const read: EntriesRead = await readEntriesOf(type, format, content, PRODUCTS)
  return sorted({
    accepted: read.accepted.map(([row, json]) => [indexOfRow(row), json]),
    errors: read.errors.map(({ row, error_code, field, value, message }) => [indexOfRow(row), error_code, field, value, anyPlace(message)]),
  })
}

/** A PUT names the entry that has the same period, a drop does not. */
function anyPlace(message: string): string {
  return message.replace(/is already in .*/, 'is already there.')
}

function sorted({ accepted, errors }: Outcome): Outcome {
  return {
    accepted: [...accepted].sort(([a], [b]) => a - b),
    errors: [...errors].sort((a, b) => a[0] - b[0] || String(a[2]).localeCompare(String(b[2])) || a[4].localeCompare(b[4])),
  }
}

const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 9, arbitrary: usual as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: odd })
const text = fc.oneof(
  fc.constantFrom(
    'x',
    'Ünïcode 🎬',
    'a "quoted" text',
    "o'clock",
    'a, b; c',
    '=SUM(A1)',
    '1,000',
    '$5',
    '1e3',
    'NaN',
    'y'.repeat(250),
    '__proto__',
  ),
  fc.string({ minLength: 1, maxLength: 12 }).map((made) => made.replaceAll('|', '/').trim() || 'z'),
)
const number = fc.oneof(
  fc.integer({ min: -5, max: 2_000 }),
  fc.constantFrom(0.1, 0.25, 1.005, 4200.1, 12_345.67, 999_999_999_999, 123_456_789_012_345),
)
/** Text that is no number: a flat file does not tell a number from its text. A file may write 1,000 and $5, which columnForms.test.ts holds. */
const oddNumber = fc.oneof(number, fc.constantFrom('1e3', 'NaN', 'ten'))
const from = (...values: string[]) => mostly(fc.constantFrom(...values), text)
const fromNumbers = (...values: number[]) => mostly(fc.constantFrom(...values), oddNumber)
const some = (member: fc.Arbitrary<unknown>) => fc.option(member, { nil: undefined })

const avail = fc
  .record({
    product_id: from('spots', 'spots', 'units', 'other'),
    grain: from('day', 'week', 'month'),
    start: from('2030-06-05', '2030-W23', '2030-06', '2030-W53'),
    state: from('available', 'unavailable', 'projected'),
    basis: some(from('measured', 'modelled')),
    sellout_level: some(fromNumbers(0, 0.25, 1)),
    spots: fc.option(mostly(fc.nat(50), oddNumber), { nil: undefined, freq: 9 }),
    units: fc.option(mostly(fc.nat(50), oddNumber), { nil: undefined, freq: 2 }),
    source: some(text),
    stream: some(text),
    code: mostly(fc.constantFrom('P18-49', 'HH', 'A.B'), text),
    per_spot: some(mostly(fc.nat(10_000), oddNumber)),
  })
  .map(({ grain, start, spots, units, source, stream, code, per_spot, ...entry }) => {
    const impressions = defined({ source, stream, ...(per_spot === undefined ? {} : { [`${code}`]: { per_spot } }) })
    return defined({
      ...entry,
      period: { grain, start },
      spots: spots === undefined ? undefined : { available: spots },
      units: units === undefined ? undefined : { available: units },
      impressions: Object.keys(impressions).length === 0 ? undefined : impressions,
    })
  })

const rate = fc
  .record({
    product_id: from('spots', 'other'),
    week: some(from('2030-W23', '2030-W24')),
    market_class: from('scatter', 'discounted'),
    advertiser_class: text,
    spot_length: fromNumbers(15, 30, 60),
    buy_type: from('preemptible', 'fixed_position'),
    clearance_tier: some(text),
    gross_rate_unit: fc.option(oddNumber, { nil: undefined, freq: 9 }),
    gross_rate_cpm: fc.option(oddNumber, { nil: undefined, freq: 1 }),
    currency: some(from('USD', 'EUR')),
    audience_code: some(text),
    window: some(fc.record({ opens: from('2030-06-01T00:00:00Z', '2030-06-01T02:00:00+02:00'), closes: from('2030-06-02T00:00:00Z') })),
  })
  .map(defined)

const times = { start: from('06:00', '23:30'), end: from('09:00', '24:00') }
const days = fc.array(from('Mon', 'Tue', 'Sun'), { minLength: 1, maxLength: 3 })
const definition = fc.oneof(
  fc.record({ selling_title: text, days, ...times, timezone: from('America/New_York', 'UTC') }),
  fc.record({ windows: fc.array(fc.record({ days, ...times }), { minLength: 1, maxLength: 4 }), selling_title: text }),
  fc.record({
    title: text,
    timezone: from('UTC'),
    occurrences: fc.array(fc.record({ date: from('2030-06-05'), ...times }), { minLength: 1, maxLength: 4 }),
  }),
)
const product = fc
  .record({
    type: from('daypart', 'rotator', 'program'),
    network: text,
    buy_types: fc.array(from('preemptible', 'fixed_position'), { minLength: 1, maxLength: 3 }),
    grains: some(fc.array(from('day', 'week'), { minLength: 1, maxLength: 2 })),
    definition,
    name: some(text),
    effective: some(fc.record({ start: from('2030-06-05'), end: from('2030-09-01', '2030-01-01') })),
    spot_lengths: some(fc.array(fromNumbers(15, 30), { minLength: 1, maxLength: 3 })),
    disclosure: some(fc.record({ pricing_policy: from('published', 'quote') })),
    billboard: some(fc.constantFrom({ text: 'a "b"', list: [1, null, { deep: true }] })),
    mirror_product_id: some(text),
  })
  .map(defined)
const products = fc
  .array(product, { minLength: 1, maxLength: 5 })
  .map((list) => list.map((one, index) => ({ product_id: `p${index}`, ...one })))

function defined(members: Entry): Entry {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

const CASES: [Type, fc.Arbitrary<Entry[]>][] = [
  ['avails', fc.array(avail, { minLength: 1, maxLength: 12 })],
  ['rate_cards', fc.array(rate, { minLength: 1, maxLength: 12 })],
  ['catalog', products],
]

describe.each(CASES)('%s: a PUT and a drop say the same of the same entries', (type, entries) => {
  it.each(DROP_FORMATS)('in %s', async (format) => {
    await fc.assert(
      fc.asyncProperty(entries, async (sent) => {
        expect(await byDrop(type, format, sent)).toEqual(await byPut(type, sent))
      }),
      { numRuns: scale(25, 60) },
    )
  })
})
