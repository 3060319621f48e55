import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { readConfig } from '../../src/config/index.ts'
import { signOnBrowser } from '../support/signOn/browser.ts'
import { AUDIENCE, CONSOLE_CLIENT } from '../support/signOn/issuer.ts'
import { useIssuer } from '../support/signOn/useIssuer.ts'
import { useMarket } from '../support/useMarket.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'

const PUBLIC_URL = 'https://orders.example.com'
const issuer = useIssuer({ callbacks: [`${PUBLIC_URL}/session/callback`] })
const market = useMarket(() => ({
  mode: 'production',
  publicUrl: new URL(PUBLIC_URL),
  trustedProxies: ['127.0.0.1'],
  signOn: readConfig({
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: AUDIENCE,
    OIDC_CLIENT_ID: CONSOLE_CLIENT,
    OIDC_SCOPES: 'openid market',
    PUBLIC_URL,
  }).signOn,
}))
beforeAll(() => {
  for (const login of ['victim', 'attacker'])
    issuer.people.set(login, { tenant: login === 'victim' ? 'acme' : 'zenith', side: 'buyer', scope: 'orders:write' })
})

let addresses = 0
const address = () => `192.0.2.${++addresses}`

async function begun(from = address()) {
  const reply = await market.request.get('/session/oidc').set('X-Forwarded-For', from)
  const cookie = String(reply.headers['set-cookie']).split(';')[0] ?? ''
  return { authorization: new URL(String(reply.headers.location)), cookie }
}

async function returning(login: string, from = address()) {
  const { authorization, cookie } = await begun(from)
  const back = await signOnBrowser(issuer.url).walk(authorization.href, login)
  return { cookie, back }
}

const arrive = (back: URL, cookie: string | undefined, more: Record<string, string> = {}) =>
  market.request.get(back.pathname + back.search).set({
    'X-Forwarded-For': address(),
    'Sec-Fetch-Site': 'cross-site',
    'Sec-Fetch-Dest': 'document',
    ...(cookie && { Cookie: cookie }),
    ...more,
  })

function changed(back: URL, change: Record<string, string | undefined>): URL {
  const url = new URL(back)
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  return url
}

async function refused(attempt: ReturnType<typeof arrive>, status = 401) {
  const reply = await attempt
  expect([reply.status, reply.body.error_code]).toEqual([status, status === 401 ? 'UNAUTHENTICATED' : 'FORBIDDEN'])
  expect(String(reply.headers['set-cookie'] ?? '')).not.toContain('__Host-session=')
  return reply
}

describe('a callback', () => {
  it('of the attacker signs no victim in: without its cookie, with the cookie of another sign-in, from a frame or an image', async () => {
    const attacker = await returning('attacker')
    const victim = await begun()
    await refused(arrive(attacker.back, undefined))
    await refused(arrive(attacker.back, victim.cookie))
    for (const dest of ['image', 'iframe', 'script', 'empty'])
      await refused(arrive(attacker.back, attacker.cookie, { 'Sec-Fetch-Dest': dest }), 403)
    // The sign-in that the attacker began works only for the attacker.
    const own = await arrive(attacker.back, attacker.cookie)
    expect(own.status).toBe(303)
  })

  it('is refused with another state, none, two, or the code of another', async () => {
    const { back, cookie } = await returning('victim')
    const other = await returning('attacker')
    await refused(arrive(changed(back, { state: randomBytes(32).toString('base64url') }), cookie))
    await refused(arrive(changed(back, { state: undefined }), cookie))
    await refused(arrive(new URL(`${back}&state=${back.searchParams.get('state')}`), cookie))
    await refused(arrive(changed(back, { code: undefined }), cookie))
    await refused(arrive(changed(back, { code: String(other.back.searchParams.get('code')) }), cookie))
    await refused(arrive(changed(back, { iss: 'https://other.example' }), cookie))
    await refused(arrive(changed(back, { iss: undefined }), cookie))
  })

  it('is refused the second time, with the cookie that was cleared and with any other', async () => {
    const { back, cookie } = await returning('victim')
    expect((await arrive(back, cookie)).status).toBe(303)
    const again = await refused(arrive(back, cookie))
    expect(again.body.error_message).toBe('The issuer refused the sign-in: invalid_grant.')
    await refused(arrive(back, (await begun()).cookie))
  })

  it('is refused where the nonce or the verifier is of another sign-in', async () => {
    for (const [at, message] of [
      [1, /does not belong to a sign-in of this browser/],
      [2, /invalid_grant/],
    ] as const) {
      const { back, cookie } = await returning('victim')
      const [name, value = ''] = cookie.split('=')
      const parts = value.split('.')
      parts[at] = randomBytes(32).toString('base64url')
      const { body } = await refused(arrive(back, `${name}=${parts.join('.')}`))
      expect(body.error_message).toMatch(message)
    }
  })

  it('reads no cookie of another form, nor one that is sent twice', async () => {
    const { back, cookie } = await returning('victim')
    const value = cookie.slice(cookie.indexOf('=') + 1)
    for (const sent of [
      `${cookie}; ${cookie}`,
      `sign-on=${value}`,
      `__Host-sign-on=${value}x.`,
      `__Host-sign-on="${value}"`,
      '__Host-sign-on=...',
      `__Host-session=${value}`,
    ])
      await refused(arrive(back, sent))
    expect((await arrive(back, cookie)).status).toBe(303)
  })
})

describe('refused sign-ins', () => {
  it('are limited by address, without counting requests that another site can make a browser send', async () => {
    const from = address()
    const guess = async () => {
      const { authorization, cookie } = await begun(from)
      const back = new URL(`${PUBLIC_URL}/session/callback`)
      back.search = `code=${randomBytes(8).toString('hex')}&state=${authorization.searchParams.get('state')}&iss=${encodeURIComponent(issuer.url)}`
      return (await arrive(back, cookie, { 'X-Forwarded-For': from })).status
    }
    const embedded = new URL(`${PUBLIC_URL}/session/callback?code=x&state=y`)
    for (let n = 0; n < 12; n++) expect((await arrive(embedded, undefined, { 'X-Forwarded-For': from })).status).toBe(401)
    const times = scale(104, 300)
    const statuses: number[] = []
    for (let n = 0; n < times; n++) statuses.push(await guess())
    expect(statuses.slice(0, 100)).toEqual(Array(100).fill(401))
    expect(new Set(statuses.slice(100))).toEqual(new Set([429]))
    const { back, cookie } = await returning('victim')
    expect((await arrive(back, cookie)).status).toBe(303)
    report('guessed codes at sign-in', { guesses: times, tried: 100 })
  })

  it('while the issuer is away are 503', async () => {
    const { back, cookie } = await returning('victim')
    await issuer.away()
    expect((await arrive(back, cookie)).status).toBe(503)
    await issuer.back()
  })
})
