import { beforeAll, describe, expect, it } from '@jest/globals'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
let ids: { a: string; b: string; c: string; short: string; archived: string; foreign: string }
beforeAll(async () => {
  const registered = async (creative_code: string, length_seconds = 30, buyer = market.acme): Promise<string> =>
    (await buyer.post('/creatives', { creative_code, name: `Spot ${creative_code}`, length_seconds })).body.creative_id
  const archived = await registered('OLD')
  ids = {
    a: await registered('A'),
    b: await registered('B'),
    c: await registered('C'),
    short: await registered('S', 15),
    archived,
    foreign: await registered('F', 30, market.zenith),
  }
  await market.acme.post(`/creatives/${archived}/archive`, undefined)
})

type Creatives = Partial<Record<keyof typeof ids, string>>
/** `$a` in a body is replaced with the id of creative `a`. */
const named = (body: unknown) => JSON.parse(JSON.stringify(body).replaceAll(/"\$(\w+)"/g, (_, name: keyof Creatives) => `"${ids[name]}"`))
const order = (more: Record<string, unknown>) => market.order({ line_items: [market.line(named(more))] })
const rotating = (rotation: string, splits: unknown) =>
  order({ creative_id: '$a', traffic_instructions: { rotation, creative_splits: splits } })
const lineOf = async (more: Record<string, unknown>) => {
  const reply = await market.acme.post('/orders', order(more))
  expect(reply.status).toBe(201)
  return (await market.snapshot(reply.body.order_id)).line_items[0] as Record<string, unknown> | undefined
}

describe('POST /creatives: 201', () => {
  it('registers a creative that the list then shows, to its buyer alone', async () => {
    const reply = await market.acme.post('/creatives', { creative_code: 'NEW-1', name: 'Launch', length_seconds: 60, status: 'archived' })
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({
      creative_id: expect.any(String),
      creative_code: 'NEW-1',
      name: 'Launch',
      length_seconds: 60,
      status: 'active',
      created_at: expect.any(String),
      warnings: [{ code: 'UNKNOWN_MEMBER', pointer: '/status' }],
    })
    const idsOf = async (tenant: typeof market.acme) =>
      ((await tenant.get('/creatives?limit=200')).body.items as { creative_id: string }[]).map(({ creative_id }) => creative_id)
    expect(await idsOf(market.acme)).toContain(reply.body.creative_id)
    expect(await idsOf(market.zenith)).toEqual([ids.foreign])
  })
})

describe('POST /creatives: 422', () => {
  it.each([
    ['creative_code', { name: 'n', length_seconds: 30 }],
    ['name', { creative_code: 'c', name: '', length_seconds: 30 }],
    ['length_seconds', { creative_code: 'c', name: 'n', length_seconds: 0 }],
    ['length_seconds', { creative_code: 'c', name: 'n', length_seconds: '30' }],
  ])('names %s', async (field, body) => {
    const reply = await market.acme.post('/creatives', body)
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({ error_code: 'INVALID_INPUT', details: { field } })
  })
})

describe('POST /creatives/{id}/archive: 200', () => {
  it('archives permanently', async () => {
    const first = await market.acme.post(`/creatives/${ids.archived}/archive`, undefined)
    expect([first.status, first.body.status]).toEqual([200, 'archived'])
    expect((await market.acme.post(`/creatives/${ids.archived}/archive`, undefined)).text).toBe(first.text)
  })
})

describe('a creative on a line', () => {
  it('is frozen with the order: archiving it later changes nothing', async () => {
    const { creative_id } = (await market.acme.post('/creatives', { creative_code: 'ICE', name: 'Ice', length_seconds: 30 })).body
    const { body } = await market.acme.post('/orders', order({ creative_id }))
    const frozen = { creative_id, creative_snapshot: { creative_code: 'ICE', name: 'Ice', length_seconds: 30 } }
    expect((await market.snapshot(body.order_id)).line_items[0]).toMatchObject(frozen)
    await market.acme.post(`/creatives/${creative_id}/archive`, undefined)
    await market.validate(body.order_id)
    expect(await market.snapshot(body.order_id)).toMatchObject({ status: 'seller_review', line_items: [frozen] })
  })

  it('never takes its snapshot from the body', async () => {
    const line = await lineOf({ creative_id: '$a', creative_snapshot: { creative_code: 'X', name: 'X', length_seconds: 1 } })
    expect(line?.creative_snapshot).toEqual({ creative_code: 'A', name: 'Spot A', length_seconds: 30 })
    expect(await lineOf({ creative_snapshot: { creative_code: 'X', name: 'X', length_seconds: 1 } })).not.toHaveProperty(
      'creative_snapshot',
    )
  })
})

describe('traffic_instructions', () => {
  it('read back the shares of an equal rotation', async () => {
    const creative_splits = [{ creative_id: '$a' }, { creative_id: '$b' }, { creative_id: '$c' }]
    const line = await lineOf({ creative_id: '$a', traffic_instructions: { rotation: 'equal', creative_splits } })
    const shares = [33.34, 33.33, 33.33].map((pct, n) => ({ creative_id: [ids.a, ids.b, ids.c][n], pct }))
    expect(line?.traffic_instructions).toEqual({ rotation: 'equal', creative_splits: shares })
  })

  it('take weights that sum to exactly 100', async () => {
    const creative_splits = [33.33, 33.33, 33.34].map((pct, n) => ({ creative_id: ['$a', '$b', '$c'][n], pct }))
    const traffic_instructions = { rotation: 'weighted', creative_splits }
    expect((await lineOf({ creative_id: '$a', traffic_instructions }))?.traffic_instructions).toEqual(named(traffic_instructions))
  })
})

describe('POST /orders: 422 for creatives', () => {
  const splits = (...pcts: (number | undefined)[]) => pcts.map((pct, n) => ({ creative_id: ['$a', '$b', '$c'][n], pct }))
  const at = 'line_items.0.traffic_instructions'
  it.each([
    ['an archived creative', () => order({ creative_id: '$archived' }), 'line_items.0.creative_id', 'REFERENCE_ARCHIVED'],
    ["another buyer's creative", () => order({ creative_id: '$foreign' }), 'line_items.0.creative_id', 'UNKNOWN_CREATIVE'],
    ['a creative of another length', () => order({ creative_id: '$short' }), 'line_items.0.creative_id', 'CREATIVE_LENGTH_MISMATCH'],
    ['shares in an equal rotation', () => rotating('equal', splits(50, 50)), `${at}.creative_splits.0.pct`],
    ['one share in an equal rotation', () => rotating('equal', splits(undefined, 50)), `${at}.creative_splits.1.pct`],
    ['a weighted split without its share', () => rotating('weighted', splits(50, undefined)), `${at}.creative_splits.1.pct`],
    ['weights that sum to 99.99', () => rotating('weighted', splits(33.33, 33.33, 33.33)), `${at}.creative_splits`],
    ['weights that sum to 100.01', () => rotating('weighted', splits(50, 50.01)), `${at}.creative_splits`],
    ['a weight of three places', () => rotating('weighted', splits(33.333, 66.667)), `${at}.creative_splits.0.pct`],
    ['a rotation without splits', () => rotating('equal', undefined), `${at}.creative_splits`],
    ['a rotation of no splits', () => rotating('equal', []), `${at}.creative_splits`],
    ['a sequential rotation', () => rotating('sequential', splits(undefined, undefined)), `${at}.rotation`],
    ['splits without the creative of the line', () => rotating('equal', [{ creative_id: '$b' }]), `${at}.creative_splits`],
    [
      'an unknown split',
      () => rotating('equal', [{ creative_id: '$a' }, { creative_id: 'x' }]),
      `${at}.creative_splits.1.creative_id`,
      'UNKNOWN_CREATIVE',
    ],
    [
      'an archived split',
      () => rotating('equal', [{ creative_id: '$a' }, { creative_id: '$archived' }]),
      `${at}.creative_splits.1.creative_id`,
      'REFERENCE_ARCHIVED',
    ],
    [
      'a split of another length',
      () => rotating('equal', [{ creative_id: '$a' }, { creative_id: '$short' }]),
      `${at}.creative_splits.1.creative_id`,
      'CREATIVE_LENGTH_MISMATCH',
    ],
  ] as [string, () => object, string, string?][])('refuses %s', async (_, body, field, error_code = 'INVALID_INPUT') => {
    const reply = await market.acme.post('/orders', body())
    expect(reply.status).toBe(422)
    expect({ code: reply.body.error_code, field: reply.body.details.field }).toEqual({ code: error_code, field })
  })

  it('answers another buyer’s creative like an unknown one', async () => {
    const textOf = async (creative_id: string) => (await market.acme.post('/orders', order({ creative_id }))).text
    expect((await textOf('$foreign')).replaceAll(ids.foreign, 'x')).toBe(await textOf('x'))
  })
})
