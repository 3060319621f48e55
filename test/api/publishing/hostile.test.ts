import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { aCard, aCatalog, anAvail, aProduct, aRate } from '../../support/orders/published.ts'
import { useApp } from '../../support/useApp.ts'

const app = useApp()

/** Values that clients must not send, and values that they may send but hardly ever do. */
const oddities = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    0,
    -1,
    1e300,
    5e-324,
    0.1,
    9007199254740991,
    [],
    {},
    [[]],
    '__proto__',
    'constructor',
    '😀'.repeat(100),
  ),
  fc.constantFrom(
    '0000-01-01',
    '9999-12-31',
    '2026-02-30',
    '0000-W01',
    '9999-W52',
    '2026-W53',
    '0000-01',
    '9999-12',
    '2026-12-01T00:00:00+23:59',
  ),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.jsonValue({ maxDepth: 2 }),
)
const program = {
  type: 'program',
  definition: { title: 't', timezone: 'UTC', occurrences: [{ date: '2026-12-07', start: '20:00', end: '21:00' }] },
}
const full = {
  window: { opens: '2026-12-01T00:00:00Z', closes: '2026-12-02T00:00:00Z' },
  quote_expires_at: '2026-12-01T00:00:00Z',
  week: '2026-W50',
}
const bodies: [string, object][] = [
  [
    'catalog',
    aCatalog(
      aProduct('p', { disclosure: {}, effective: { start: '2026-01-01', end: '2026-12-31' }, external_ref: 'x', grains: ['month'] }),
    ),
  ],
  ['catalog', aCatalog(aProduct('q', program), aProduct('r', { mirror_product_id: 'q' }))],
  [
    'rate-cards',
    aCard('c', [aRate('p', { ...full, audience_code: 'HH', guaranteed_impressions: 5, clearance_tier: 'P2', currency: 'USD' })]),
  ],
  ['avails', { avails: [anAvail('p', { sellout_level: 0.5, impressions: { source: 's', stream: 't', HH: { per_spot: 4 } } })] }],
]

describe('publishing: arbitrary input', () => {
  it.each(bodies)('PUT /me/%s is always answered as in the contract, and never with a 5xx', async (what, body) => {
    const paths = pathsOf(body)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...paths), oddities), { minLength: 1, maxLength: 3 }), async (changes) => {
        const sent = structuredClone(body)
        for (const [path, value] of changes) put(sent, path, value)
        const reply = await app.request.put(`/v1/me/${what}`).auth(app.tokens.sellers.cable, { type: 'bearer' }).send(sent)
        expect([200, 400, 409, 422]).toContain(reply.status)
        if (reply.status === 200) expect(reply.body.accepted + reply.body.rejected).toBeGreaterThan(0)
        else expect(reply.body).toMatchObject({ error_code: expect.any(String), details: expect.any(Object) })
      }),
      { numRuns: 150 },
    )
    for (const read of ['/v1/sellers/cable/catalog', '/v1/sellers/cable/avails', '/v1/sellers']) {
      await app.request.get(read).auth(app.tokens.buyers.acme, { type: 'bearer' }).expect(200)
    }
  })

  it.each(['product_id', 'weeks', 'spot_length', 'market_class', 'rate_class', 'agreement', 'cursor', 'limit', ''])(
    'GET /sellers/{seller}/avails?%s= is answered',
    async (name) => {
      const value = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.constantFrom('2026-W50', '9999-W53', '0000-W01..9999-W52', '-1', '1e9'),
      )
      await fc.assert(
        fc.asyncProperty(value, async (text) => {
          const query = `${name}=${encodeURIComponent(text.toWellFormed())}`
          const reply = await app.request.get(`/v1/sellers/cable/avails?${query}`).auth(app.tokens.buyers.acme, { type: 'bearer' })
          expect([200, 400, 404, 422]).toContain(reply.status)
        }),
        { numRuns: 40 },
      )
    },
  )
})

type Path = (string | number)[]

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const below = Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, Array.isArray(value) ? Number(key) : key]))
  return path.length === 0 ? below : [path, ...below]
}

function put(target: unknown, [key, ...rest]: Path, value: unknown): void {
  if (key === undefined || typeof target !== 'object' || target === null) return
  const holder = target as Record<string | number, unknown>
  if (rest.length === 0) holder[key] = value
  else put(holder[key], rest, value)
}
