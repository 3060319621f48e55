import { describe, expect, it } from '@jest/globals'
import { aCard, aCatalog, anAvail, aProduct, aRate } from '../../support/orders/published.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const dry = (path: string, body: object) => market.cable.put(`${path}?dry_run=true`, body)
const put = (path: string, body: object, basis: string) =>
  market.request.put(`/v1${path}`).auth(market.cable.token, { type: 'bearer' }).set('If-Match', `"${basis}"`).send(body)
const written = async () =>
  (
    await market.owner().query(`select (select count(*) from products) as products, (select max(updated_at)::text from products) as at,
      (select count(*) from rate_entries) as prices, (select count(*) from rate_commits) as commits, (select count(*) from notices) as notices,
      (select count(*) from avails) as avails, (select max(updated_at)::text from avails) as avails_at`)
  ).rows
const JULY = { effective: { start: '2030-07-01', end: '2030-07-31' } }

describe('PUT /me/catalog?dry_run=true: 200', () => {
  it('shows what would be added, changed, left unchanged and withdrawn, and writes nothing', async () => {
    await market.cable.put('/me/catalog', aCatalog(aProduct('same'), aProduct('goes'), aProduct('moves')))
    const before = await written()
    const body = aCatalog(
      aProduct('same'),
      aProduct('new'),
      aProduct('goes', { status: 'withdrawn' }),
      aProduct('moves', { network: 'OTHER' }),
    )
    const { status, body: reply } = await dry('/me/catalog', body)
    expect([status, reply]).toMatchObject([200, { result: 'success', effect: { added: 1, changed: 1, unchanged: 1, ended: 1 } }])
    const changes = reply.effect.changes.map(({ change, product_id }: Record<string, string>) => `${change} ${product_id}`)
    expect(changes.sort()).toEqual(['added new', 'changed moves', 'ended goes'])
    expect(reply.basis).toMatch(/^[\w-]{22}$/)
    expect(await written()).toEqual(before)
    expect((await put('/me/catalog', body, reply.basis)).status).toBe(200)
    const repeat = await put('/me/catalog', body, reply.basis)
    expect([repeat.status, repeat.body.effect, repeat.body.basis]).toEqual([200, undefined, undefined])
  })

  it('sends no event of a conflict that it finds', async () => {
    const before = await written()
    const twice = aCatalog(aProduct('r1', { external_ref: 'R' }), aProduct('r2', { external_ref: 'R' }))
    expect((await dry('/me/catalog', twice)).status).toBe(422)
    expect(await written()).toEqual(before)
  })
})

describe('PUT /me/avails: 409', () => {
  it('refuses a publish whose basis another publish has changed, and takes it after a new dry run', async () => {
    const period = (start: string) => ({ period: { grain: 'week', start } })
    const avails = (state: string) => ({
      avails: [anAvail('prime', { ...period('2030-W30'), state }), anAvail('prime', period('2030-W31'))],
    })
    const { body: first } = await dry('/me/avails', avails('available'))
    expect(first.effect).toMatchObject({ added: 2, changed: 0, unchanged: 0, ended: 0, open_orders_drifting: 0 })
    await market.cable.put('/me/avails', { avails: [anAvail('prime', { ...period('2030-W30'), state: 'unavailable' })] })
    const stale = await put('/me/avails', avails('available'), first.basis)
    expect([stale.status, stale.body]).toMatchObject([409, { error_code: 'CONFLICT', details: { field: 'If-Match' } }])
    const { body: second } = await dry('/me/avails', avails('available'))
    expect(second.effect).toMatchObject({ added: 1, changed: 1 })
    expect(second.basis).not.toBe(first.basis)
    await market.cable.put('/me/avails', { avails: [anAvail('prime', period('2030-W40'))] })
    expect((await put('/me/avails', avails('available'), second.basis)).status).toBe(200)
  })
})

describe('PUT /me/rate-cards?dry_run=true: 200', () => {
  it('counts prices per week and the open orders that cite a replaced one', async () => {
    const orders = [await market.created(), await market.parked()]
    await market.placed()
    const june = { effective: { start: '2030-05-27', end: '2030-06-30' } }
    const same = aCard('june-again', [aRate('prime')], june)
    const { body: unmoved } = await dry('/me/rate-cards', same)
    expect(unmoved.effect).toMatchObject({ added: 0, changed: 0, ended: 0, changes: [], open_orders_drifting: 0 })
    expect(unmoved.effect.unchanged).toBeGreaterThan(3)
    const { body: moved } = await dry(
      '/me/rate-cards',
      aCard('june-up', [aRate('prime', { gross_rate_unit: 2_000 }), aRate('prime', { spot_length: 15 })], june),
    )
    const weeks = unmoved.effect.unchanged
    expect(moved.effect).toMatchObject({ added: weeks, changed: weeks, unchanged: 0, open_orders_drifting: orders.length })
    const change = moved.effect.changes.find(({ change: kind }: { change: string }) => kind === 'changed')
    expect(change).toMatchObject({ product_id: 'prime', before: { currency: 'USD' }, after: { gross_rate_unit: 2_000 } })
    expect((await market.cable.get('/me/rate-cards/june-up')).status).toBe(404)
  })

  it('can be committed only on its own basis, and a replay is answered first', async () => {
    const [one, two] = [
      aCard('j-1', [aRate('prime', { gross_rate_unit: 5 })], JULY),
      aCard('j-2', [aRate('prime', { gross_rate_unit: 6 })], JULY),
    ]
    const { basis } = (await dry('/me/rate-cards', one)).body
    expect((await put('/me/rate-cards', two, (await dry('/me/rate-cards', two)).body.basis)).status).toBe(200)
    expect((await put('/me/rate-cards', one, basis)).status).toBe(409)
    const fresh = (await dry('/me/rate-cards', one)).body.basis
    const taken = await put('/me/rate-cards', one, fresh)
    const replay = await put('/me/rate-cards', one, fresh)
    expect([taken.status, replay.status, replay.text]).toEqual([200, 200, taken.text])
  })
})
