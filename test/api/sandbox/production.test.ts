import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { createApiServer } from '../../../api/http/server.ts'
import { ROUTES, servedRoutes } from '../../../api/routes.ts'
import { useMarket } from '../../support/useMarket.ts'

const OF_SANDBOXES = ROUTES.filter(({ endpoint }) => endpoint.path.startsWith('/sandbox/')).map(({ endpoint }) => endpoint)

describe('the route table of production', () => {
  it('lacks every path of sandboxes, and nothing else', () => {
    const lacking = ROUTES.filter((route) => !servedRoutes({ mode: 'production' }).includes(route)).map(({ endpoint }) => endpoint.name)
    expect(lacking).toEqual(OF_SANDBOXES.map(({ name }) => name))
    expect(lacking.length).toBeGreaterThan(2)
    expect(servedRoutes({ mode: 'sandbox' })).toBe(ROUTES)
  })
})

describe('a path of sandboxes in production: 404', () => {
  const market = useMarket({ mode: 'production' })

  it.each(OF_SANDBOXES.map(({ method, path }) => [method, path] as const))('%s %s is as unknown as any other', async (method, path) => {
    const asked = path.replaceAll(/:\w+/g, 'x')
    for (const tenant of [market.acme, market.cable]) {
      const reply = await (method === 'get' ? tenant.get(asked) : tenant[method as 'post'](asked, {}))
      expect([reply.status, reply.body.error_message, reply.headers['x-sandbox']]).toEqual([
        404,
        `There is nothing at /v1${asked}; what there is begins with /v1 and is listed at /v1/openapi.json; people use /console and /docs.`,
        undefined,
      ])
    }
    expect((await market.acme.get(`${asked.toUpperCase()}/`)).body.error_message).not.toContain('the path is')
  })
})

describe('X-Sandbox', () => {
  const market = useMarket()

  it('is on every reply of a sandbox, whatever its status', async () => {
    const replies = await Promise.all([
      market.acme.get('/sellers'),
      market.acme.post('/orders', {}),
      market.acme.get('/nothing'),
      market.tenant('wrong').get('/sellers'),
      fetch(new URL('/healthz', market.baseUrl)).then(({ status, headers }) => ({ status, headers: Object.fromEntries(headers) })),
      fetch(new URL('/console/', market.baseUrl)).then(({ status, headers }) => ({ status, headers: Object.fromEntries(headers) })),
    ])
    expect(replies.map(({ headers }) => headers['x-sandbox'])).toEqual(replies.map(() => 'true'))
    expect(replies.map(({ status }) => status).slice(0, 5)).toEqual([200, 422, 404, 401, 200])
  })

  it('is on what never reaches the application', async () => {
    const server = createApiServer(() => undefined, { perTenant: 5, total: 5, mark: { 'X-Sandbox': 'true' } })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const answer = await answerTo((server.address() as AddressInfo).port, 'no HTTP\r\n\r\n')
      expect([answer.slice(0, 12), answer.includes('\r\nX-Sandbox: true\r\n')]).toEqual(['HTTP/1.1 400', true])
    } finally {
      server.close()
    }
  })
})

function answerTo(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (bytes) => {
      answer += bytes
    })
    socket.on('error', reject).on('close', () => resolve(answer))
  })
}
