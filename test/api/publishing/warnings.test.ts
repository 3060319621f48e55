import { beforeAll, describe, expect, it } from '@jest/globals'
import { sellerPut } from '../../support/http/sellerPut.ts'
import { aCard, aCatalog, anAvail, aProduct, aRate } from '../../support/orders/published.ts'
import { useApp } from '../../support/useApp.ts'

const app = useApp()
beforeAll(async () => {
  await put('catalog', aCatalog(aProduct('p'), aProduct('past', { effective: { start: '2020-01-01', end: '2020-12-31' } }), PROGRAM, LATER))
})

const PROGRAM = aProduct('show', {
  type: 'program',
  definition: { title: 'Final', timezone: 'UTC', occurrences: [{ date: '2026-12-09', start: '20:00', end: '22:00' }] },
})
const LATER = aProduct('later', { grains: ['week', 'day'], effective: { start: '2027-01-04', end: '2029-12-31' } })

const send = sellerPut(app)
const put = async (what: string, body: object) => (await send(what, body).expect(200)).body
const codesOf = ({ warnings }: { warnings: { code: string; index: number }[] }, code: string) =>
  warnings.filter((warning) => warning.code === code).map(({ index }) => index)

describe('PUT /me/rate-cards: UNORDERABLE_PRICE', () => {
  it('names the entries that no order can ever cite, and publishes them', async () => {
    const reply = await put(
      'rate-cards',
      aCard('c-1', [
        aRate('p'),
        aRate('p', { buy_type: 'fixed_position' }),
        aRate('p', { advertiser_class: 'over', window: { closes: '2020-01-01T00:00:00Z' } }),
        aRate('past'),
        aRate('later'),
        aRate('show'),
        aRate('show', { week: '2026-W51', spot_length: 15 }),
      ]),
    )
    expect(reply).toMatchObject({ result: 'success', accepted: 7, rejected: 0 })
    expect(codesOf(reply, 'UNORDERABLE_PRICE')).toEqual([1, 2, 3, 4, 6])
    const [warned] = reply.warnings.filter(({ code }: { code: string }) => code === 'UNORDERABLE_PRICE')
    expect(warned).toMatchObject({ product_id: 'p', message: expect.stringContaining('preemptible, not as fixed_position') })
  })
})

describe('PUT /me/rate-cards: ZERO_PRICE and DEFAULT_CURRENCY', () => {
  it('names prices of 0, and once the entries without a currency, and publishes them', async () => {
    const free = aRate('p', { spot_length: 10, gross_rate_unit: 0 })
    const reply = await put('rate-cards', aCard('c-zero', [aRate('p', { currency: 'USD' }), aRate('p', { spot_length: 15 }), free]))
    expect(reply).toMatchObject({ result: 'success', accepted: 3, rejected: 0 })
    expect(codesOf(reply, 'ZERO_PRICE')).toEqual([2])
    expect(codesOf(reply, 'DEFAULT_CURRENCY')).toEqual([1])
    expect(reply.warnings[0].message).toBe('2 entries have no currency: they are in USD, the currency of your profile.')
  })
})

describe('PUT /me/avails: UNSOLD_PERIOD', () => {
  it('names the periods that no line can book, and publishes them', async () => {
    const of = (product_id: string, grain: string, start: string) => anAvail(product_id, { period: { grain, start } })
    const reply = await put('avails', {
      avails: [
        of('p', 'week', '2026-W50'),
        of('p', 'day', '2026-12-09'),
        of('p', 'month', '2026-12'),
        of('later', 'day', '2027-02-01'),
        of('later', 'day', '2026-12-09'),
      ],
    })
    expect(reply).toMatchObject({ result: 'success', accepted: 5 })
    expect(codesOf(reply, 'UNSOLD_PERIOD')).toEqual([1, 2, 4])
  })
})

describe('PUT /me/catalog, /me/rate-cards and /me/agreements: zones and money', () => {
  const definition = (timezone: string) => ({ definition: { ...aProduct('x').definition, timezone } })
  it.each([
    ['definition.timezone', definition('Chicago')],
    ['definition.timezone', definition('+05:00')],
    ['definition.timezone', definition('America/Springfield')],
    ['currencies.0', { currencies: ['USD'] }],
  ])('refuses %s: %j', async (field, more) => {
    expect(await put('catalog', aCatalog(aProduct('z', more)))).toMatchObject({
      result: 'none',
      errors: [{ error_code: 'INVALID_ENTRY', field }],
    })
  })

  it.each(['America/Chicago', 'US/Central', 'UTC', 'Asia/Kolkata', 'Asia/Calcutta'])('takes the zone %s', async (timezone) => {
    expect(await put('catalog', aCatalog(aProduct('z', definition(timezone))))).toMatchObject({ result: 'success' })
  })

  it('takes money of ISO 4217 alone', async () => {
    const card = aCard('c-money', [aRate('p', { currency: 'ABC' }), aRate('p', { currency: 'EUR' })])
    expect(await put('rate-cards', card)).toMatchObject({ result: 'partial', errors: [{ index: 0, field: 'currency' }] })
    const agreement = { buyer_entity: 'acme', effective: { start: '2020-01-01', end: '2030-01-01' }, currency: 'ABC' }
    expect((await send('agreements/agr-1', agreement).expect(422)).body.details.field).toBe('currency')
  })
})

describe('a publish: result', () => {
  it('says result none where every entry was refused, and the status stays 200', async () => {
    expect(await put('catalog', { taxonomy_version: 't', products: [{}, {}] })).toMatchObject({ result: 'none', accepted: 0, rejected: 2 })
    expect(await put('avails', { avails: [anAvail('nowhere')] })).toMatchObject({ result: 'none' })
    expect(await put('avails', { avails: [anAvail('nowhere'), anAvail('p')] })).toMatchObject({ result: 'partial' })
  })
})
