import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { z } from 'zod'
import { Avail } from '../../../src/contract/avail.ts'
import { RateEntry } from '../../../src/contract/rateCard.ts'
import { parseByMember } from '../../../src/operations/drops/reader/parseByMember.ts'

/** Values that entries share, as rows of a table do: right ones, wrong ones, and absent ones. */
const shared = <T>(...values: T[]) => fc.constantFrom<unknown>(...values, undefined, null, 7, 'x', {})
const AVAIL = {
  product_id: shared('prime', 'late', 'Ünïcode "🎬"', '', 'x'.repeat(201)),
  period: shared({ grain: 'week', start: '2030-W23' }, { grain: 'day', start: '2030-06-05' }, { grain: 'week', start: '2030-06-05' }),
  state: shared('available', 'unavailable', 'sold'),
  basis: shared('measured', 'modelled'),
  sellout_level: shared(0, 0.25, 1, 2),
  spots: shared({ available: 5 }, { available: -1 }, { available: 5, more: 1 }),
  units: shared({ available: 5 }, { available: 1.5 }),
  impressions: shared({ source: 's', stream: 'C3', HH: { per_spot: 5 } }, { source: 's', stream: 'C3', spots: { per_spot: 5 } }),
  package: shared('old'),
}
const RATE = {
  product_id: shared('prime', 'late'),
  week: shared('2030-W23', '2030-W99'),
  market_class: shared('scatter', 'other'),
  advertiser_class: shared('general', ''),
  spot_length: shared(15, 30, 0.5),
  buy_type: shared('preemptible', 'other'),
  gross_rate_unit: shared(4200.1, -1),
  currency: shared('USD', 'usd'),
  window: shared({ opens: '2030-06-01T02:00:00+02:00', closes: '2030-06-02T00:00:00Z' }, { closes: 'soon' }),
}

/** Mostly right: an entry of random members is hardly ever accepted. */
function entriesOf(members: Record<string, fc.Arbitrary<unknown>>, usual: Record<string, unknown>) {
  const odd = Object.entries(members).map(([name, member]) => fc.oneof({ weight: 20, arbitrary: fc.constant(usual[name]) }, member))
  const entry = fc
    .tuple(...odd)
    .map((values) =>
      Object.fromEntries(Object.keys(members).flatMap((name, index) => (values[index] === undefined ? [] : [[name, values[index]]]))),
    )
  return fc.array(entry, { minLength: 1, maxLength: 30 })
}

const USUAL_AVAIL = { product_id: 'prime', period: { grain: 'week', start: '2030-W23' }, state: 'available', spots: { available: 5 } }
const USUAL_RATE = {
  ...{ product_id: 'prime', week: '2030-W23', market_class: 'scatter', advertiser_class: 'general', spot_length: 30 },
  ...{ buy_type: 'preemptible', gross_rate_unit: 4200.1, currency: 'USD' },
}

it.each([
  ['avails', Avail, entriesOf(AVAIL, USUAL_AVAIL)],
  ['prices', RateEntry, entriesOf(RATE, USUAL_RATE)],
] as [string, z.ZodObject, ReturnType<typeof entriesOf>][])('%s parsed by member are as their schema reads them', (_, schema, lists) => {
  const parse = parseByMember(schema, (json) => json)
  let [accepted, refused] = [0, 0]
  fc.assert(
    fc.property(lists, (entries) => {
      for (const entry of entries) {
        const { success, data } = schema.safeParse(entry)
        if (success) accepted += 1
        else refused += 1
        expect(parse(entry)).toEqual(success ? { value: data, text: JSON.stringify(data) } : undefined)
      }
    }),
    { numRuns: 300 },
  )
  expect(Math.min(accepted, refused)).toBeGreaterThan(300)
})

it('remembers a limited number of values, and parses those that it has forgotten again', () => {
  const parse = parseByMember(z.object({ n: z.number().max(9_000) }), (json) => json)
  for (const _ of [1, 2]) for (let n = 0; n < 10_000; n += 1) expect(parse({ n })?.text).toBe(n > 9_000 ? undefined : `{"n":${n}}`)
})

it('refuses a schema that checks members against each other', () => {
  const schema = z.object({ a: z.number(), b: z.number() }).refine(({ a, b }) => a < b)
  expect(() => parseByMember(schema, (json) => json)).toThrow('the schema checks members against each other')
})
