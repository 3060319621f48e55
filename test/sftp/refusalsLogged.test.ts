import { beforeAll, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import type { SftpLimits } from '../../sftp/limits.ts'
import { issueCredential, revokeCredential } from '../../src/store/tenants/credentials.ts'
import { newToken } from '../../src/store/tenants/token.ts'
import { aClock } from '../support/clock.ts'
import { outcomeOf, sftpServers } from '../support/sftp/sftpServers.ts'
import { until } from '../support/until.ts'
import { useApp } from '../support/useApp.ts'

const app = useApp()
const { serverWith, signIn } = sftpServers(app)
const tokens: Record<string, string> = {}

beforeAll(async () => {
  const issue = async (name: string, more: object = {}) => {
    const { token, credential_id } = await issueCredential(app.deps.db, { entity: 'cable', side: 'seller', kind: 'test', ...more })
    tokens[name] = token
    return credential_id
  }
  await revokeCredential(app.deps.db, await issue('revoked'))
  await issue('expired', { ttlSeconds: -1 })
  await issue('reader', { scopes: ['catalog:read'] })
  tokens.unknown = newToken('test')
  tokens.junk = 'secret'
  tokens.buyer = app.tokens.buyers.acme
})

interface Line {
  readonly msg: string
  readonly [member: string]: unknown
}

/** A server, and what it logs. */
async function logged(limits: Partial<SftpLimits> = {}) {
  const lines: Line[] = []
  const clock = aClock()
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Line) })
  const server = await serverWith(limits, undefined, { log, ...clock })
  return { clock, server, about: (msg: string) => lines.filter((line) => line.msg === msg) }
}

describe('a refused sign-in', () => {
  it.each([
    ['junk', 'not_a_token'],
    ['unknown', 'unknown'],
    ['revoked', 'revoked'],
    ['expired', 'expired'],
    ['buyer', 'other_tenant'],
    ['reader', 'scope'],
  ])('is logged with its reason: %s', async (name, reason) => {
    const { server, about } = await logged()
    expect(await outcomeOf(signIn(server, tokens[name]))).not.toBe('done')
    await until(() => about('a sign-in was refused').length > 0)
    expect(about('a sign-in was refused')[0]).toMatchObject({ user: 'cable', method: 'password', reason, source: '127.0.0.1' })
    expect(JSON.stringify(about('a sign-in was refused'))).not.toContain(tokens[name])
  })
})

describe('a lock-out', () => {
  const REFUSED = 'SFTP connections are refused'

  it('of a user is logged once a minute, with its number', async () => {
    const { server, about, clock } = await logged({ failures: { max: 2, withinMs: 60_000, throttledMs: 60_000 } })
    for (let time = 0; time < 4; time++) await outcomeOf(signIn(server, 'secret'))
    await until(() => about(REFUSED).length > 0)
    expect(about(REFUSED)).toEqual([
      expect.objectContaining({ source: '127.0.0.1', why: 'too many refused sign-ins of cable: locked out for a minute', times: 1 }),
    ])
    clock.advance(60_000)
    await until(() => about(REFUSED).length > 1)
    expect(Number(about(REFUSED)[1]?.times)).toBeGreaterThan(0)
  })

  it('of an address that exchanges too many keys is logged', async () => {
    const { server, about } = await logged({ exchanges: { perSecond: 0.001, burst: 1 } })
    for (let time = 0; time < 3; time++) await outcomeOf(signIn(server, 'secret'))
    await until(() => about(REFUSED).length > 0)
    expect(about(REFUSED)[0]).toMatchObject({ why: 'too many key exchanges that no sign-in followed' })
  })
})
