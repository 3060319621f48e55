import { describe, expect, it } from '@jest/globals'
import { useApp } from '../support/useApp.ts'

const app = useApp()

const JSON_LINKS = {
  console: '/console/',
  docs: '/docs',
  openapi: '/v1/openapi.json',
  changelog: '/v1/changelog.json',
  health: '/healthz',
  readiness: '/readyz',
}

describe('GET /: 200', () => {
  it('is a page on which every link is served', async () => {
    const reply = await app.request.get('/').set('Accept', 'text/html,application/xhtml+xml,*/*;q=0.8')
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(reply.headers['content-security-policy']).toContain("script-src 'self'")
    const links = [...reply.text.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)
    for (const href of Object.values(JSON_LINKS)) expect(links).toContain(href)
    for (const href of links) expect([href, (await app.request.get(href)).status]).toEqual([href, 200])
    for (const door of ['Buy', 'Sell', 'Operate', 'Quick start']) expect(reply.text).toContain(`<h2>${door}</h2>`)
    expect(reply.text).toContain('<p role="status">It runs. This is a sandbox: nothing here is real.</p>')
  })

  it('returns the same links as JSON to a client that asks for it, and a page to one without Accept', async () => {
    const reply = await app.request.get('/').set('Accept', 'application/json')
    expect(reply.body).toEqual({ name: 'Order Marketplace Service', links: JSON_LINKS })
    expect((await app.request.get('/')).headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      vary: expect.stringContaining('Accept'),
    })
  })
})

describe('POST /: 404', () => {
  it('is the answer to other methods than GET', async () => {
    expect((await app.request.post('/')).status).toBe(404)
  })
})
