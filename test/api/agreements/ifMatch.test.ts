import { describe, expect, it } from '@jest/globals'
import { useApp } from '../../support/useApp.ts'

const app = useApp()

const read = (path: string) => app.request.get(`/v1/me/${path}`).auth(app.tokens.sellers.cable, { type: 'bearer' }).expect(200)
const etagOf = async (path: string) => (await read(path)).headers.etag ?? ''
const put = (path: string, body: object, ifMatch?: string) => {
  const request = app.request.put(`/v1/me/${path}`).auth(app.tokens.sellers.cable, { type: 'bearer' })
  return (ifMatch === undefined ? request : request.set('If-Match', ifMatch)).send(body)
}
const CHANGED = { error_code: 'CONFLICT', details: { field: 'If-Match' } }

const rule = (id: string) => ({ rules: [{ id, when: { max_gross: 1_000 }, then: 'approve' }] })
const agreement = (more: object) => ({ buyer_entity: 'acme', effective: { start: '2030-01-01', end: '2030-12-31' }, ...more })

/** Each document with three states that differ. */
const DOCUMENTS: readonly (readonly [path: string, states: readonly [object, object, object]])[] = [
  ['capabilities', [{ negotiation: true }, { holds: true }, { access: 'allowlist' }]],
  ['approval-rules', [rule('a'), rule('b'), rule('c')]],
  ['agreements/agr-1', [agreement({}), agreement({ commitment_gross: 10 }), agreement({ commitment_gross: 20 })]],
]

describe.each(DOCUMENTS)('PUT /me/%s: 409', (path, [first, second, third]) => {
  it('refuses a write that would undo someone else’s change, and takes it after another read', async () => {
    await put(path, first)
    const seen = await etagOf(path)
    expect(seen).toMatch(/^"[\w-]{22}"$/)
    expect((await put(path, second)).status).toBe(200)
    const stale = await put(path, third, seen)
    expect([stale.status, stale.body]).toMatchObject([409, CHANGED])
    const fresh = await put(path, third, await etagOf(path))
    expect([fresh.status, fresh.headers.etag]).toEqual([200, await etagOf(path)])
  })

  it('answers a repeat before it checks If-Match', async () => {
    await put(path, first)
    const seen = await etagOf(path)
    const changed = await put(path, second, seen)
    const again = await put(path, second, seen)
    expect([changed.status, again.status]).toEqual([200, 200])
    expect(again.body).toEqual(changed.body)
  })

  it('lets one of many from the same view through', async () => {
    await put(path, first)
    const seen = await etagOf(path)
    const replies = await Promise.all([second, third].map((body) => put(path, body, seen)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('takes any version for a star, and checks nothing without the header', async () => {
    expect((await put(path, second, '*')).status).toBe(200)
    expect((await put(path, first)).status).toBe(200)
  })
})

describe('PUT /me/agreements/{id}: 409', () => {
  it('is the answer to If-Match where no agreement has the id yet', async () => {
    const { status, body } = await put('agreements/agr-none', agreement({}), '*')
    expect([status, body]).toMatchObject([409, CHANGED])
    expect((await put('agreements/agr-none', agreement({}))).status).toBe(201)
  })
})

const create = (id: string, body: object, ifNoneMatch = '*') => put(`agreements/${id}`, body).set('If-None-Match', ifNoneMatch)
const TAKEN = { error_code: 'CONFLICT', details: { field: 'If-None-Match' } }

describe('PUT /me/agreements/{id} with If-None-Match: 201', () => {
  it('is the answer where no agreement has the id', async () => {
    expect((await create('agr-new', agreement({}))).status).toBe(201)
  })

  it('is the answer to one of many who take the id at once', async () => {
    const replies = await Promise.all([1, 2, 3].map((credit_limit) => create('agr-race', agreement({ credit_limit }))))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })
})

describe('PUT /me/agreements/{id} with If-None-Match: 200', () => {
  it('is the answer to a repeat, whose first reply may have been lost', async () => {
    await create('agr-twice', agreement({ credit_limit: 5 }))
    const again = await create('agr-twice', agreement({ credit_limit: 5 }))
    expect([again.status, again.body.credit_limit]).toEqual([200, 5])
  })
})

describe('PUT /me/agreements/{id} with If-None-Match: 409', () => {
  it('is the answer where the id has another agreement, which stays as it is', async () => {
    await create('agr-taken', agreement({ credit_limit: 5 }))
    const { status, body } = await create('agr-taken', { ...agreement({ credit_limit: 6 }), buyer_entity: 'bolt' })
    expect([status, body]).toMatchObject([409, TAKEN])
    expect((await read('agreements/agr-taken')).body).toMatchObject({ buyer_entity: 'acme', credit_limit: 5 })
  })
})

describe('PUT /me/agreements/{id} with If-None-Match: 422', () => {
  it('is the answer to a version, since only a star says that there is none', async () => {
    const { status, body } = await create('agr-version', agreement({}), '"a version"')
    expect([status, body]).toMatchObject([422, { error_code: 'INVALID_INPUT', details: { field: 'If-None-Match' } }])
  })
})
