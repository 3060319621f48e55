import { describe, expect, it } from '@jest/globals'
import type { Request } from 'express'
import { authenticator } from '../../api/signIn/auth.ts'
import { tokenSignIn } from '../../api/signIn/tokenSignIn.ts'
import type { Scope } from '../../src/contract/vocabulary/access.ts'
import { issueCredential, revokeCredential } from '../../src/store/tenants/credentials.ts'
import { isTokenForm } from '../../src/store/tenants/token.ts'
import { type Ended, runProgram } from '../support/runProgram.ts'
import { useApp } from '../support/useApp.ts'

const app = useApp()

/** `npx order-marketplace operator token ...` as an operator runs it for a database elsewhere. */
const token = (args: string, env: NodeJS.ProcessEnv = {}) =>
  runProgram('src/cli/token', args.split(' '), { DATABASE_URL: app.databaseUrl, ...env })

const issue = (tenant: string, more = '', env: NodeJS.ProcessEnv = {}) => token(`issue --tenant ${tenant} --side buyer${more}`, env)
const issued = (entity: string, more: { scopes?: Scope[]; ttlSeconds?: number } = {}) =>
  issueCredential(app.deps.db, { entity, side: 'buyer', kind: 'test', ...more })
const use = (bearer: string, path = '/v1/orders') => app.request.get(path).auth(bearer, { type: 'bearer' })
const isOneSentence = ({ code, out, err }: Ended, about: RegExp) => {
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err.trim().split('\n')).toHaveLength(1)
  expect(err).toMatch(about)
  expect(err).not.toMatch(/\bat .*:\d+:\d+/)
}

describe('token issue', () => {
  it('prints only the token, which works immediately with every scope of its side', async () => {
    const { code, out, err } = await issue('new-buyer')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^omp_live_[0-9A-Za-z]{36}\n$/)
    expect(isTokenForm(out.trim())).toBe(true)
    expect((await use(out.trim())).status).toBe(200)
    expect((await use(out.trim(), '/v1/me/orders')).status).toBe(403)
  })

  it('makes test tokens in the sandbox, and a seller that can publish', async () => {
    const { out } = await token('issue --tenant new-seller --side seller', { MODE: 'sandbox' })
    expect(out).toMatch(/^omp_test_/)
    expect((await use(out.trim(), '/v1/me/catalog')).status).toBe(200)
  })

  it('grants the requested scopes and those that they imply, for the requested time', async () => {
    const { out } = await issue('reader', ' --scopes orders:read --ttl 30d')
    expect((await use(out.trim())).status).toBe(200)
    const refused = await app.request.post('/v1/orders').auth(out.trim(), { type: 'bearer' }).send({})
    expect(refused.body).toMatchObject({ error_code: 'FORBIDDEN', details: { required_scope: 'orders:write' } })
    const { rows } = await app.deps.db.pool.query(
      `select expires_at - created_at between '29 days 23:59' and '30 days 00:01' as thirty_days from credentials where entity = 'reader'`,
    )
    expect(rows).toEqual([{ thirty_days: true }])
  })

  it('allows a tenant two unexpired tokens, and says in one sentence what to do about a third', async () => {
    const lapsed = await issued('two', { ttlSeconds: -1 })
    await issued('two')
    expect((await use(lapsed.token)).status).toBe(401)
    expect((await issue('two')).code).toBe(0)
    isOneSentence(await issue('two'), /two already has 2 active tokens; revoke one first/)
  })

  it.each([
    ['scopes of the other side', 'issue --tenant x --side seller --scopes orders:read,orders:write', /cannot hold orders:write/],
    ['an unknown scope', 'issue --tenant x --side buyer --scopes orders:all', /orders:all/],
    ['the wrong side for a tenant that is known', 'issue --tenant cable --side buyer', /cable is a seller/],
    ['a lifetime without a unit', 'issue --tenant x --side buyer --ttl 30', /30d/],
    ['no tenant', 'issue --side buyer', /--tenant/],
    ['an unknown side', 'issue --tenant x --side both', /buyer, seller/],
    ['a tenant with a slash', 'issue --tenant a/b --side buyer', /letters, digits/],
    ['an unknown option', 'issue --tenant x --side buyer --forever', /--forever/],
    ['a word too many', 'list all', /too many arguments/],
    ['an unknown command', 'show x', /show/],
  ])('refuses %s', async (_, args, about) => {
    isOneSentence(await token(args), about)
    expect((await app.deps.db.pool.query(`select from credentials where entity = 'x'`)).rowCount).toBe(0)
  })
})

describe('token list', () => {
  it('shows every credential with its state and four characters, never a token', async () => {
    const [living, revoked] = [await issued('listed'), await issued('listed', { scopes: ['orders:read'], ttlSeconds: 86_400 })]
    await revokeCredential(app.deps.db, revoked.credential_id)
    const { code, out } = await token('list')
    expect(code).toBe(0)
    const lines = out.split('\n').filter((line) => line.includes('\tlisted\t'))
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^cred_\\w+\\tbuyer\\tlisted\\t…${living.token.slice(-4)}\\tactive\\tno expiry\\torders:write,`)),
      expect.stringMatching(new RegExp(`^cred_\\w+\\tbuyer\\tlisted\\t…${revoked.token.slice(-4)}\\trevoked\\t2\\S+Z\\torders:read$`)),
    ])
    expect(out).not.toContain(living.token.slice(9, 30))
  })
})

describe('token revoke', () => {
  it('takes a token or an id, which running servers then refuse within five seconds', async () => {
    const [first, second, kept] = [await issued('revoked'), await issued('revoked'), await issued('kept')]
    let at = Date.now()
    const authenticate = authenticator([tokenSignIn(app.deps.db)], app.deps.refusedSignIns, () => at)
    const signIn = (bearer: string) => authenticate({ headers: { authorization: `Bearer ${bearer}` } } as Request)
    for (const { token: bearer, credential_id } of [first, second, kept]) expect(await signIn(bearer)).toMatchObject({ credential_id })
    expect(await Promise.all([token(`revoke ${first.token}`), token(`revoke ${second.credential_id}`)])).toEqual(
      [1, 2].map(() => ({ code: 0, out: 'revoked\n', err: '' })),
    )
    at += 5_000
    for (const { token: bearer } of [first, second]) await expect(signIn(bearer)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(await signIn(kept.token)).toMatchObject({ credential_id: kept.credential_id })
  })

  it('reports when there is nothing to revoke', async () => {
    const { credential_id, token: bearer } = await issued('once')
    await revokeCredential(app.deps.db, credential_id)
    for (const refused of await Promise.all([token(`revoke ${bearer}`), token('revoke cred_x')])) {
      isOneSentence(refused, /no active credential/)
    }
  })
})

describe('the token command without a database', () => {
  it('says in one sentence what to start', async () => {
    const nowhere = Object.assign(new URL(app.databaseUrl), { port: '1' }).href
    isOneSentence(await token('list', { DATABASE_URL: nowhere }), /does not answer .*: start the marketplace first/)
    isOneSentence(
      await token('list', { DATABASE_URL: '', DATA_DIR: '/nowhere' }),
      /There is no database in \/nowhere: start the marketplace first/,
    )
  })

  it('says in one sentence, without the password, that it has no access or that nothing is set up there', async () => {
    const [stranger, elsewhere, empty] = [new URL(app.databaseUrl), new URL(app.databaseUrl), new URL(app.databaseUrl)]
    stranger.password = 'guess'
    elsewhere.pathname = '/no_such_database'
    empty.pathname = '/postgres'
    isOneSentence(
      await token('list', { DATABASE_URL: stranger.href }),
      /does not answer \((?!.*guess).*password.*\): .* correct DATABASE_URL/,
    )
    isOneSentence(
      await token('list', { DATABASE_URL: elsewhere.href }),
      /does not answer \(.*no_such_database.*\): .* correct DATABASE_URL/,
    )
    isOneSentence(await token('list', { DATABASE_URL: empty.href }), /no schema of this service yet: migrate it first/)
  })
})
