import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { catalogOf, checkPublish } from '../../src/operations/publishing/checkPublish.ts'
import { useCommandLine } from '../support/commandLine.ts'
import { aCard, aCatalog, anAvail, aProduct, aRate } from '../support/orders/published.ts'
import { useApp } from '../support/useApp.ts'

const app = useApp()
const line = useCommandLine()

/** What the command finds, computed in this process. */
const answerTo = async (body: unknown, products?: readonly unknown[]) => {
  const catalog = products === undefined ? undefined : (await catalogOf(products)).products
  return checkPublish(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), catalog)
}
const put = (what: string, body: unknown) =>
  app.request
    .put(`/v1/me/${what}`)
    .auth(app.tokens.sellers.station, { type: 'bearer' })
    .type('application/json')
    .send(body as object)

const CATALOG = aCatalog(
  aProduct('monthly', { grains: ['week', 'month'] }),
  aProduct('guaranteed', { buy_types: ['audience_guaranteed'] }),
  aProduct('monthly'),
  aProduct('strange', { type: 'blimp' }),
  { product_id: 'bare' },
  7,
)
const CARD = aCard('first', [
  aRate('monthly'),
  aRate('nowhere'),
  aRate('monthly', { week: '2031-W01' }),
  aRate('guaranteed', { buy_type: 'audience_guaranteed', gross_rate_cpm: 20, audience_code: 'A25-54', guaranteed_impressions: 1_000 }),
  aRate('monthly', { package_id: 'p' }),
])
const AVAILS = {
  avails: [
    anAvail('monthly'),
    anAvail('guaranteed'),
    anAvail('nowhere'),
    anAvail('monthly', { period: { grain: 'week', start: '2025-W53' } }),
  ],
}

describe('publish --check', () => {
  it('gives the server’s answer to a catalog, a card and avails', async () => {
    for (const [what, body] of [
      ['catalog', CATALOG],
      ['rate-cards', CARD],
      ['avails', AVAILS],
    ] as const) {
      const checked = await answerTo(body, what === 'catalog' ? undefined : CATALOG.products)
      const reply = await put(what, body)
      expect(checked?.answer).toEqual({ endpoint: `PUT /v1/me/${what}`, ...reply.body })
      expect(reply.body.rejected).toBeGreaterThan(0)
      expect(checked?.rejects).toBe(true)
    }
  })

  it.each([
    [
      'a cost of neither kind',
      aCard('c', [aRate('monthly', { gross_rate_unit: null }), aRate('monthly', { gross_rate_cpm: 1, gross_rate_unit: 2 })]),
    ],
    ['a month whose weeks differ in price', aCard('c', [aRate('monthly'), aRate('monthly', { week: '2026-W51', gross_rate_unit: 1 })])],
    ['a shared reference', aCatalog(aProduct('a', { external_ref: 'x' }), aProduct('b', { external_ref: 'x' }))],
    ['an envelope with two faults', { packages: [], products: [], taxonomy_version: '' }],
    ['a key that is listed twice', '{"avails": [], "avails": []}'],
    ['no JSON', '{'],
  ])('refuses as a whole what the server refuses as a whole: %s', async (_, body) => {
    const checked = await answerTo(body, CATALOG.products)
    const what = typeof body === 'string' ? 'avails' : 'entries' in body ? 'rate-cards' : 'catalog'
    const reply = await put(what, body)
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(checked).toEqual({ answer: reply.body, rejects: true, notes: [] })
  })

  it('reports the same faults of entries as the server does', async () => {
    await put('catalog', CATALOG)
    const window = { opens: '2026-12-01T00:00:00Z', closes: '2026-12-02T00:00:00Z' }
    let commits = 0
    const rate = () => aRate('monthly', { week: '2026-W50', window, audience_code: 'HH', rate_basis: 'cpm', clearance_tier: `T${commits}` })
    const bodies = {
      'rate-cards': () => aCard(`fuzzed-${++commits}`, [rate(), aRate('guaranteed', { clearance_tier: `T${commits}` })]),
      avails: () => ({ avails: [anAvail('monthly', { impressions: { source: 's', stream: 't', HH: { per_spot: 4 } } })] }),
    }
    const odd = fc.oneof(
      fc.constantFrom<unknown>(null, '', 0, -1, 1e300, [], {}, '*', 'spots', 'per_second', 'guaranteed', '2026-W51', '2026-02-30'),
      fc.jsonValue({ maxDepth: 1 }),
    )
    const members = ['product_id', 'week', 'buy_type', 'gross_rate_unit', 'rate_basis', 'window', 'period', 'spots', 'units', 'impressions']
    const changes = fc.dictionary(fc.constantFrom(...members), odd, { minKeys: 1, maxKeys: 3 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('rate-cards' as const, 'avails' as const), changes, async (what, wrong) => {
        const body = bodies[what]()
        const [first] = 'avails' in body ? body.avails : body.entries
        Object.assign(first as object, wrong)
        const [checked, reply] = [await answerTo(body, CATALOG.products), await put(what, body)]
        // Warnings differ, since the server also knows earlier cards.
        const { warnings: _, endpoint: __, ...answer } = { endpoint: undefined, warnings: [], ...checked?.answer }
        const { warnings: ___, ...said } = reply.body
        expect(answer).toEqual(said)
      }),
      { numRuns: 50 },
    )
  })

  it('says what is rejected by row, notes what it cannot check, and needs no token', async () => {
    const good = await line.run(['publish', 'avails', '--check', '-f', await line.file('good.json', { avails: [anAvail('monthly')] })])
    expect([good.code, good.out]).toEqual([0, 'avails: 1 accepted, 0 rejected; nothing was published\n'])
    expect(good.err).toContain('--catalog')
    const [avails, catalog] = await Promise.all([line.file('avails.json', AVAILS), line.file('catalog.json', CATALOG)])
    const bad = await line.run(['publish', 'avails', '--check', '-f', avails, '--catalog', catalog, '--json'])
    expect([bad.code, JSON.parse(bad.out)]).toMatchObject([1, { accepted: 1, rejected: 3 }])
    expect(bad.err).toMatch(/^4 products of .* count as unknown\.\n3 of 4 entries are rejected\.\n$/)
  })

  it('says under which rows a body would be refused as a whole', async () => {
    const card = aCard('c', [aRate('monthly'), aRate('monthly', { gross_rate_cpm: 1, gross_rate_unit: 2 })])
    const file = await line.file('card.json', card)
    const { code, out, err } = await line.run(['publish', 'rate-cards', '--check', '-f', file])
    expect([code, out]).toEqual([1, ''])
    const at =
      JSON.stringify(card, null, 2)
        .split('\n')
        .findIndex((text) => text.includes('"gross_rate_unit": 2')) + 1
    expect(err).toMatch(new RegExp(`would be refused: INVALID_INPUT, .*\\n${file}:\\d+: `))
    expect(Number(/card\.json:(\d+):/.exec(err)?.[1])).toBe(at)
  })

  it('prints one sentence for a missing file or a file that is not a publish', async () => {
    const of = (file: string) => line.run(['publish', 'avails', '--check', '-f', file])
    const [missing, order] = await Promise.all([of('nowhere.json'), of('docs/examples/order.json')])
    expect([missing, order]).toEqual([
      { code: 2, out: '', err: 'There is no file nowhere.json.\n' },
      { code: 2, out: '', err: 'docs/examples/order.json is not a body of this publish: it must have the member avails.\n' },
    ])
  })
})
