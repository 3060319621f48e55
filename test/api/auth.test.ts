import { describe, expect, it, jest } from '@jest/globals'
import type { Request } from 'express'
import { authenticator, type SignInWay } from '../../api/signIn/auth.ts'
import { tokenSignIn } from '../../api/signIn/tokenSignIn.ts'
import type { Database } from '../../src/store/connection/database.ts'
import { issueCredential, revokeCredential } from '../../src/store/tenants/credentials.ts'
import { newToken } from '../../src/store/tenants/token.ts'
import { useApp } from '../support/useApp.ts'

const app = useApp()

let tenants = 0
async function issued(ttlSeconds?: number) {
  const ttl = ttlSeconds === undefined ? {} : { ttlSeconds }
  return issueCredential(app.deps.db, { entity: `tenant-${++tenants}`, side: 'buyer', kind: 'test', ...ttl })
}
const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } }) as Request
const refusal = (message: RegExp) => expect.objectContaining({ code: 'UNAUTHENTICATED', message: expect.stringMatching(message) })

describe('authentication', () => {
  it('refuses a revoked token within five seconds, and never a valid one', async () => {
    let at = Date.now()
    const authenticate = authenticator([tokenSignIn(app.deps.db)], app.deps.refusedSignIns, () => at)
    const [{ token, credential_id }, other] = [await issued(), await issued()]
    await authenticate(bearing(token))
    await revokeCredential(app.deps.db, credential_id)
    at += 5_000
    await expect(authenticate(bearing(token))).rejects.toEqual(refusal(/revoked/))
    expect(await authenticate(bearing(other.token))).toMatchObject({ credential_id: other.credential_id })
  })

  it('counts those seconds from its query, not from a slow answer of the database', async () => {
    let at = Date.now()
    const { token, credential_id } = await issued()
    const { pool } = app.deps.db
    const slow = {
      async query(...args: Parameters<typeof pool.query>) {
        const answer = await pool.query(...args)
        at += 3_000
        return answer
      },
    } as unknown as Database['pool']
    const authenticate = authenticator([tokenSignIn({ pool: slow })], app.deps.refusedSignIns, () => at)
    await authenticate(bearing(token))
    await revokeCredential(app.deps.db, credential_id)
    at += 2_000
    await expect(authenticate(bearing(token))).rejects.toEqual(refusal(/revoked/))
  })

  it('refuses a token from the moment it expires, even a remembered one', async () => {
    let at = Date.now()
    const authenticate = authenticator([tokenSignIn(app.deps.db)], app.deps.refusedSignIns, () => at)
    const { token } = await issued(2)
    await authenticate(bearing(token))
    at += 2_100
    await expect(authenticate(bearing(token))).rejects.toEqual(refusal(/expired/))
  })

  it('asks the database once in a while for a good token, and never for junk', async () => {
    const query = jest.spyOn(app.deps.db.pool, 'query')
    try {
      const authenticate = authenticator([tokenSignIn(app.deps.db)], app.deps.refusedSignIns)
      const { token } = await issued()
      query.mockClear()
      for (let n = 0; n < 5; n++) await authenticate(bearing(token))
      expect(query).toHaveBeenCalledTimes(1)
      const mistyped = token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a')
      for (const junk of [mistyped, 'omp_test_short', `omp_test_${'a'.repeat(36)}`, 'x'.repeat(10_000)]) {
        await expect(authenticate(bearing(junk))).rejects.toEqual(refusal(/mistyped/))
      }
      expect(query).toHaveBeenCalledTimes(1)
      await expect(authenticate(bearing(newToken('live')))).rejects.toEqual(refusal(/unknown/))
      expect(query).toHaveBeenCalledTimes(2)
    } finally {
      query.mockRestore()
    }
  })
})

describe('ways to sign in', () => {
  const refusals = { revoked: 'The session has ended.', expired: 'The session has expired.' }
  const sessionSignIn = (find: SignInWay['find']): SignInWay => ({
    presented: ({ headers }) => /^session=(\w+)$/.exec(headers.cookie ?? '')?.[1],
    find,
    refusals,
  })
  const cookie = (session: string, token?: string) =>
    ({ headers: { cookie: `session=${session}`, ...(token === undefined ? {} : bearing(token).headers) } }) as Request

  it('are tried in order, and the first that a request uses answers', async () => {
    const [{ token, credential_id }, other] = [await issued(), await issued()]
    const tokens = tokenSignIn(app.deps.db)
    const sessions = sessionSignIn(() => tokens.find(other.token))
    const authenticate = authenticator([sessions, tokens], app.deps.refusedSignIns)
    expect(await authenticate(bearing(token))).toMatchObject({ credential_id })
    expect(await authenticate(cookie('s1'))).toMatchObject({ credential_id: other.credential_id })
    expect(await authenticate(cookie('s1', token))).toMatchObject({ credential_id: other.credential_id })
  })

  it('refuse with their own message, and no later way is tried', async () => {
    const { token } = await issued()
    const authenticate = authenticator([sessionSignIn(async () => undefined), tokenSignIn(app.deps.db)], app.deps.refusedSignIns)
    await expect(authenticate(cookie('gone', token))).rejects.toEqual(refusal(/session has ended/))
    await expect(authenticate({ headers: {} } as Request)).rejects.toEqual(refusal(/Send a credential/))
  })

  it('remember what they found independently of each other', async () => {
    const [one, other] = [await issued(), await issued()]
    const tokens = tokenSignIn(app.deps.db)
    const find = jest.fn<SignInWay['find']>(() => tokens.find(other.token))
    const authenticate = authenticator([sessionSignIn(find), tokens], app.deps.refusedSignIns)
    await authenticate(bearing(one.token))
    for (let n = 0; n < 3; n++) expect(await authenticate(cookie(one.token))).toMatchObject({ credential_id: other.credential_id })
    expect(find).toHaveBeenCalledTimes(1)
  })
})

describe('a reply to a credential', () => {
  it('never repeats the token', async () => {
    for (const token of [newToken('test'), `${newToken('test').slice(0, -1)}!`]) {
      const reply = await app.request.get('/v1/orders').auth(token, { type: 'bearer' })
      expect(reply.status).toBe(401)
      expect(reply.text + JSON.stringify(reply.headers)).not.toContain(token.slice(9, 30))
    }
  })
})
