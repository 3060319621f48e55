import { describe, expect, it } from '@jest/globals'
import { openAdmissions } from '../../api/http/admissions.ts'
import { createApiServer } from '../../api/http/server.ts'
import { wholeReads } from '../../api/http/wholeReads.ts'
import { sentCookie } from '../../api/signIn/sessionCookie.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { moment } from '../support/hookedDatabase.ts'
import { settled } from '../support/until.ts'

/** The refusal of a promise; any other error, or success, fails the test. */
async function refusal(act: Promise<unknown>): Promise<Refusal> {
  const error = await act.then(() => undefined).catch((thrown: unknown) => thrown)
  if (error instanceof Refusal) return error
  throw error ?? new Error('nothing was refused')
}

describe('a server of the API', () => {
  it('gives requests their times: longer than a proxy keeps a connection, and as long as the slowest upload', () => {
    const server = createApiServer(() => undefined, { perTenant: 1, total: 1 })
    const { headersTimeout, requestTimeout, keepAliveTimeout } = server
    expect({ headersTimeout, requestTimeout, keepAliveTimeout }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 300_000,
      keepAliveTimeout: 65_000,
    })
  })
})

describe('reads that may be large', () => {
  it('are one of a tenant and four of all at a time, and 32 of a tenant may wait', async () => {
    const reads = wholeReads('avails')
    const begun: string[] = []
    const take = (tenant: string) =>
      reads.take(tenant).then((release) => {
        begun.push(tenant)
        return release
      })
    const releases = await Promise.all(['one', 'two', 'three'].map(take))
    const waiting = Array.from({ length: 32 }, () => take('one'))
    releases.push(await take('four'))
    void take('five')
    await settled()
    expect(begun).toEqual(['one', 'two', 'three', 'four'])
    const refused = await refusal(reads.take('one'))
    expect([refused.code, refused.details]).toMatchObject(['RATE_LIMITED', { limit: 'reads of avails', retry_after: 1 }])
    releases[3]?.()
    await settled()
    expect(begun.slice(4)).toEqual(['five'])
    releases[0]?.()
    await waiting[0]
    expect(begun.slice(5)).toEqual(['one'])
  })
})

describe('the first requests of subjects that nobody knows', () => {
  const found = { find: async () => 'known', write: async () => 'written' }
  const unknown = { find: async () => undefined, write: async () => 'written' }

  it('write once where they come at the same time, and again after a failure', async () => {
    const admissions = openAdmissions()
    const over = moment()
    let writes = 0
    const slow = {
      find: async () => undefined,
      write: async () => {
        writes += 1
        await over.has
        if (writes === 1) throw new Error('away')
        return writes
      },
    }
    const both = [admissions.subject('acme', 'ada', slow), admissions.subject('acme', 'ada', slow)].map((one) => one.catch(() => 'failed'))
    over.come()
    expect([await Promise.all(both), writes]).toEqual([['failed', 'failed'], 1])
    expect(await admissions.subject('acme', 'ada', slow)).toBe(2)
  })

  it('are a hundred at once of a tenant, and as many new tenants; those that are known count for nothing', async () => {
    const admissions = openAdmissions()
    for (let n = 0; n < 100; n += 1) await admissions.subject('acme', `new-${n}`, unknown)
    const refused = await refusal(admissions.subject('acme', 'one-more', unknown))
    expect([refused.code, refused.details]).toMatchObject(['RATE_LIMITED', { limit: 'new subjects' }])
    expect(await admissions.subject('acme', 'old', found)).toBe('known')
    expect(await admissions.subject('zenith', 'new', unknown)).toBe('written')
    for (let n = 0; n < 100; n += 1) await admissions.tenant(`tenant-${n}`, unknown)
    expect((await refusal(admissions.tenant('one-more', unknown))).code).toBe('RATE_LIMITED')
  })
})

describe('a cookie', () => {
  const sent = (cookie?: string) => sentCookie({ headers: { cookie } } as Parameters<typeof sentCookie>[0], 'session')
  it('is read by its whole name, and counts as missing where it is sent twice', () => {
    expect([sent('a=1; session=abc=d; b=2'), sent(' session = abc '), sent('session=')]).toEqual(['abc=d', 'abc', ''])
    expect([sent(), sent('sessions=1; xsession=2'), sent('session=1; session=2')]).toEqual([undefined, undefined, undefined])
  })
})
