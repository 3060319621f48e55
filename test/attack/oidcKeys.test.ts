import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { generateKeyPair } from 'jose'
import { pino } from 'pino'
import supertest from 'supertest'
import { createApp } from '../../api/app.ts'
import { openOidc } from '../../api/signIn/oidcSignIn.ts'
import { IssuerAway, type OidcIssuer, openOidcIssuer, TokenFault } from '../../src/adapters/http/oidcIssuer.ts'
import { readConfig } from '../../src/config/index.ts'
import { aClock } from '../support/clock.ts'
import { AUDIENCE, startIssuer, type TestIssuer } from '../support/signOn/issuer.ts'
import { useIssuer } from '../support/signOn/useIssuer.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'

const BUYER = { tenant: 'acme', side: 'buyer', scope: 'orders:read' }
const HOUR = 3_600_000
const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

interface Opened {
  readonly real: TestIssuer
  readonly issuer: OidcIssuer
  readonly failures: string[]
  /** Moves the clock of the service forward. */
  pass(milliseconds: number): void
}

/** The issuer as the service sees it, after its keys were read. */
async function opened(): Promise<Opened> {
  const real = await startIssuer()
  let later = 0
  const failures: string[] = []
  const issuer = openOidcIssuer(
    real.url,
    (reason) => failures.push(reason),
    () => Date.now() + later,
  )
  open.push(issuer, { close: () => real.stop() })
  await issuer.verify(await real.signed(BUYER), AUDIENCE)
  return { real, issuer, failures, pass: (milliseconds) => (later += milliseconds) }
}

const valid = (real: TestIssuer, more: object = {}) => real.signed({ ...BUYER, exp: Math.floor(Date.now() / 1_000) + 48 * 3_600, ...more })
const fault = (message: RegExp) => expect.objectContaining({ name: 'TokenFault', message: expect.stringMatching(message) })

describe('a rotated key', () => {
  it('is read when a token needs it, and the previous key is refused from then on', async () => {
    const { real, issuer, pass } = await opened()
    const before = await valid(real)
    await real.rotate()
    pass(31_000)
    expect(await issuer.verify(await valid(real), AUDIENCE)).toMatchObject(BUYER)
    await expect(issuer.verify(before, AUDIENCE)).rejects.toEqual(fault(/a key that the issuer does not have/))
  })
})

describe('a flood of tokens under unknown keys', () => {
  it('reads the keys once in thirty seconds, and still finds a new key', async () => {
    const { real, issuer, pass } = await opened()
    const { privateKey: key } = await generateKeyPair('ES256')
    const stranger = () => real.signed(BUYER, { alg: 'ES256', kid: randomUUID(), key })
    const tokens = await Promise.all(Array.from({ length: scale(200, 5_000) }, stranger))
    const flood = async () => {
      const answers = await Promise.allSettled(tokens.map((token) => issuer.verify(token, AUDIENCE)))
      expect(answers.filter((answer) => answer.status === 'rejected' && answer.reason instanceof TokenFault)).toHaveLength(tokens.length)
    }
    const reads = real.keyReads()
    await flood()
    expect(real.keyReads()).toBe(reads)
    pass(31_000)
    await flood()
    await flood()
    expect(real.keyReads()).toBe(reads + 1)
    await real.rotate()
    pass(31_000)
    const [own] = await Promise.all([issuer.verify(await valid(real), AUDIENCE), flood()])
    expect(own).toMatchObject(BUYER)
    expect(real.keyReads()).toBe(reads + 2)
    report('unknown keys', { tokens: 4 * tokens.length, reads: real.keyReads() - reads })
  })
})

describe('an issuer that is away', () => {
  it('does not affect known keys for a day, while unknown keys are reported as unavailable', async () => {
    const { real, issuer, failures, pass } = await opened()
    const [known, { privateKey: key }] = [await valid(real), await generateKeyPair('RS256')]
    const unknown = await real.signed(BUYER, { kid: randomUUID(), key })
    await real.away()
    pass(HOUR)
    for (let n = 0; n < 3; n++) expect(await issuer.verify(known, AUDIENCE)).toMatchObject(BUYER)
    await expect(issuer.verify(unknown, AUDIENCE)).rejects.toThrow(IssuerAway)
    await expect(issuer.verify(unknown, AUDIENCE)).rejects.toThrow(IssuerAway)
    expect(failures).toHaveLength(1)
    pass(23 * HOUR)
    await expect(issuer.verify(known, AUDIENCE)).rejects.toThrow(IssuerAway)
    await real.back()
    pass(6_000)
    expect(await issuer.verify(known, AUDIENCE)).toMatchObject(BUYER)
  })
})

describe('an issuer with an invalid answer', () => {
  const answering = async (answer: RequestListener): Promise<{ url: string; reason: string }> => {
    const server = createServer(answer)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    let reason = ''
    const issuer = openOidcIssuer(url, (text) => (reason = text))
    open.push(issuer, {
      close: () => {
        server.closeAllConnections()
        return new Promise((resolve) => server.close(resolve))
      },
    })
    await expect(issuer.verify('e30.e30.e30', AUDIENCE)).rejects.toThrow(IssuerAway)
    await expect(issuer.metadata()).rejects.toThrow(IssuerAway)
    return { url, reason }
  }
  const document = (url: string, more: object = {}) => ({
    issuer: url,
    jwks_uri: `${url}/jwks`,
    authorization_endpoint: `${url}/auth`,
    token_endpoint: `${url}/token`,
    ...more,
  })
  const ownUrl = (host: string | undefined) => `http://${host}`

  it('is refused', async () => {
    expect((await answering((_, res) => res.writeHead(500).end())).reason).toMatch(/answered 500/)
    expect((await answering((_, res) => res.end('<html>'))).reason).toMatch(/JSON/)
    expect((await answering((_, res) => res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())).reason).toMatch(/redirect/)
    expect((await answering((_, res) => res.end(' '.repeat(2 * 1024 * 1024)))).reason).toMatch(/more than 1048576 bytes/)
    expect((await answering((_, res) => res.end(JSON.stringify(document('https://other.example'))))).reason).toMatch(
      /names the issuer https:\/\/other/,
    )
    const elsewhere = { jwks_uri: 'https://other.example/jwks' }
    expect((await answering((req, res) => res.end(JSON.stringify(document(ownUrl(req.headers.host), elsewhere))))).reason).toMatch(
      /another scheme/,
    )
    const keyless: RequestListener = (req, res) =>
      res.end(JSON.stringify(req.url === '/jwks' ? { keys: 'none' } : document(ownUrl(req.headers.host))))
    expect((await answering(keyless)).reason).toMatch(/keys/)
  })
})

describe('an issuer that is away when the API starts', () => {
  const issuer = useIssuer({ away: true })
  const market = useMarket()

  it('causes 503 for its tokens only, until it is back', async () => {
    const clock = aClock()
    const { signOn } = readConfig({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE })
    const oidc = openOidc(signOn as NonNullable<typeof signOn>, () => undefined, clock.now)
    open.push(oidc.issuer)
    const request = supertest(createApp({ ...market.deps, oidc }, pino({ level: 'silent' })))
    const token = await issuer.signed(BUYER)
    const get = (bearer: string) => request.get('/v1/orders').auth(bearer, { type: 'bearer' })
    const { status, body, headers } = await get(token)
    expect([status, body.error_code, headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '1'])
    expect(body.error_message).toBe('The service cannot reach the issuer of the token right now; try again.')
    expect((await get(market.tokens.buyers.acme)).status).toBe(200)
    expect((await request.get('/readyz')).status).toBe(200)
    await issuer.back()
    clock.advance(5_000)
    await until(async () => (await get(token)).status === 200)
  })
})
