import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { SellerProfile } from '../../../src/contract/seller.ts'
import {
  bookedGross,
  findAgreement,
  hasDealtWith,
  isAgreementOf,
  isForeignAgreement,
  listAgreements,
  listBuyerStandings,
  readBuyerStanding,
  saveAgreement,
  saveBuyerStanding,
} from '../../../src/store/tenants/agreements.ts'
import { agreementsBetween } from '../../../src/store/tenants/agreementsBetween.ts'
import { archiveCreative, creativeCodes, listCreatives } from '../../../src/store/tenants/creatives.ts'
import { revokeCredential } from '../../../src/store/tenants/credentials.ts'
import { readCredit, readExposure } from '../../../src/store/tenants/credit.ts'
import { documentVersion } from '../../../src/store/tenants/documentVersion.ts'
import { listPersonas, newestCredential, tenantName } from '../../../src/store/tenants/personas.ts'
import { countRule, deleteOldRuleActivity, readRuleActivity } from '../../../src/store/tenants/ruleActivity.ts'
import { openSecrets, readSecret, saveSecret } from '../../../src/store/tenants/secrets.ts'
import { listSecurityEvents, operator, recordAct } from '../../../src/store/tenants/securityEvents.ts'
import {
  nameTenant,
  readApprovalRules,
  readConformance,
  recordApiUse,
  saveApprovalRules,
  saveProfile,
} from '../../../src/store/tenants/sellers.ts'
import { isSessionForm, openSession } from '../../../src/store/tenants/sessions.ts'
import {
  anAgreementRow,
  anEndpointRow,
  anOrderRow,
  aProductRow,
  aSellerRowOf,
  aTenantRow,
  insertRows,
  OTHER_BUYER,
  OTHER_SELLER,
  PAST,
  SOON,
} from '../../support/orders/rowsOfMarket.ts'
import { until } from '../../support/until.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
const TODAY = new Date().toISOString().slice(0, 10)
const rows = async (sql: string) => (await db.owner().query(sql)).rows
const standing = (seller: string, buyer_entity: string, more: object = {}) =>
  ['seller_buyers', { seller, buyer_entity, status: 'suspended', allowlisted: true, ...more }] as const

beforeAll(() =>
  insertRows(db.owner(), [
    ...['seller_one', 'seller_two', 'seller_three'].map((seller) => aTenantRow(seller, 'seller')),
    ...['buyer_one', 'buyer_two', 'buyer_three'].map((buyer) => aTenantRow(buyer, 'buyer')),
    ...['seller_one', 'seller_two', 'seller_three'].map((seller) => aSellerRowOf(seller)),
    anAgreementRow('agr_2'),
    anAgreementRow('agr_1'),
    anAgreementRow('agr_far', OTHER_SELLER),
    anAgreementRow('agr_theirs', OTHER_BUYER),
    anAgreementRow('agr_ended', { status: 'ended' }),
    anAgreementRow('agr_past', { effective: '[2020-01-01,2020-12-31]' }),
    standing('seller_one', 'buyer_two'),
    standing('seller_one', 'buyer_one'),
    standing('seller_two', 'buyer_one', { status: 'active' }),
    anOrderRow('ord_1', { agreement_id: 'agr_1', status: 'placed', exposure: 10 }),
    anOrderRow('ord_2', { agreement_id: 'agr_1', status: 'canceled', exposure: 100 }),
    anOrderRow('ord_3', { agreement_id: 'agr_2', status: 'placed', exposure: 1_000 }),
    anOrderRow('ord_4', { ...OTHER_SELLER, buyer_entity: 'buyer_three' }),
  ]),
)

describe('agreements', () => {
  const listed = async (filter: object) => (await listAgreements(db, { limit: 9, ...filter })).map(({ agreement_id }) => agreement_id)
  it('are listed by id, of a seller, a buyer or both, by page and by the day on which they are in force', async () => {
    expect(await listed({ seller: 'seller_one' })).toEqual(['agr_1', 'agr_2', 'agr_ended', 'agr_past', 'agr_theirs'])
    expect(await listed({ buyer_entity: 'buyer_one' })).toEqual(['agr_1', 'agr_2', 'agr_ended', 'agr_far', 'agr_past'])
    expect(await listed({ seller: 'seller_one', buyer_entity: 'buyer_one', inForceOn: TODAY })).toEqual(['agr_1', 'agr_2'])
    expect(await listed({ seller: 'seller_one', after: 'agr_2', limit: 2 })).toEqual(['agr_ended', 'agr_past'])
    expect((await agreementsBetween(db, 'buyer_one', 'seller_one', TODAY)).map(({ agreement_id }) => agreement_id)).toEqual([
      'agr_1',
      'agr_2',
    ])
  })

  it('are found by their ids, of their seller', async () => {
    expect(await findAgreement(db, 'agr_2')).toMatchObject({ agreement_id: 'agr_2' })
    expect(await findAgreement(db, 'agr_none')).toBeUndefined()
    const asked = ['agr_1', 'agr_far', 'agr_none']
    expect(await Promise.all(asked.map((id) => isAgreementOf(db.sql, 'seller_one', id)))).toEqual([true, false, false])
    expect(await Promise.all(asked.map((id) => isForeignAgreement(db, 'seller_one', id)))).toEqual([false, true, false])
  })

  it('are saved by id, each by its seller and for its buyer, with a reference of its own', async () => {
    const agreement = (agreement_id: string, more: object = {}) =>
      ({
        agreement_id,
        seller: 'seller_three',
        buyer_entity: 'buyer_two',
        status: 'active',
        effective: { start: '2020-01-01', end: '2030-01-01' },
        ...more,
      }) as never
    const actor = operator('seller_three', 'seller', 'platform')
    const save = (...of: Parameters<typeof agreement>) => saveAgreement(db, actor, agreement(...of)).catch(({ code }) => code)
    expect([await save('agr_new', { external_ref: 'ref' }), await save('agr_new', { external_ref: 'ref' })]).toEqual([
      'created',
      'replaced',
    ])
    expect([await save('agr_far'), await save('agr_new', { buyer_entity: 'buyer_one' })]).toEqual(['NOT_FOUND', 'INVALID_INPUT'])
    expect([await save('agr_new_2', { external_ref: 'ref' }), await save('agr_new_2', { external_ref: 'other' })]).toEqual([
      'DUPLICATE_EXTERNAL_REF',
      'created',
    ])
    await db.owner().query(`update agreements set external_ref = 'ref two' where agreement_id = 'agr_far'`)
    expect(await save('agr_new_3', { external_ref: 'ref two' })).toBe('created')
    expect(await rows(`select agreement_id from agreements where seller = 'seller_three' order by 1`)).toHaveLength(3)
    await db.owner().query(`delete from agreements where seller = 'seller_three'`)
  })

  it('have booked what is placed under them', async () => {
    expect(await Promise.all(['agr_1', 'agr_2', 'agr_far'].map((id) => bookedGross(db, id)))).toEqual(['10', '1000', '0'])
  })
})

describe('what orders draw on the credit of an agreement', () => {
  const PARTIES = { seller: 'seller_one', buyer_entity: 'buyer_one' }
  it('is its figure and what has changed since, of its orders and families alone', async () => {
    const drawing = (order_id: string, agreement_id: string, drawn: number, more: object = {}) =>
      anOrderRow(order_id, { agreement_id, drawn, ...more })
    await insertRows(db.owner(), [
      anAgreementRow('agr_x', { body: '{"credit_limit":500}' }),
      anAgreementRow('agr_y', { body: '{"credit_limit":900}' }),
      ...[
        ['credit_drawn', { ...PARTIES, agreement_id: 'agr_x', drawn: 100 }] as const,
        ['credit_drawn', { ...PARTIES, agreement_id: 'agr_y', drawn: 1_000 }] as const,
      ],
      ...[
        { agreement_id: 'agr_x', amount: 5 },
        { agreement_id: 'agr_y', amount: 50 },
        { agreement_id: 'agr_x', amount: 0, family: 'ord_f' },
        { agreement_id: 'agr_x', amount: 0, family: 'ord_f' },
        { agreement_id: 'agr_y', amount: 0, family: 'ord_h' },
      ].map((row) => ['credit_changes', { ...PARTIES, ...row }] as const),
      ...[
        { agreement_id: 'agr_x', family: 'ord_f', drawn: 7 },
        { agreement_id: 'agr_x', family: 'ord_g', drawn: 9 },
        { agreement_id: 'agr_y', family: 'ord_f', drawn: 70 },
      ].map((row) => ['credit_families', { ...PARTIES, ...row }] as const),
      drawing('ord_f', 'agr_x', 20, { root: 'ord_f', status: 'placed' }),
      drawing('ord_f2', 'agr_x', 30, { root: 'ord_f' }),
      drawing('ord_f3', 'agr_x', 4, { root: 'ord_f', status: 'canceled' }),
      drawing('ord_f4', 'agr_y', 400, { root: 'ord_f' }),
      drawing('ord_g', 'agr_x', 50, { root: 'ord_g' }),
      drawing('ord_i', 'agr_x', 60),
    ])
    expect(await Promise.all(['agr_x', 'agr_none'].map((id) => readExposure(db.pool, id)))).toEqual(['132', '0'])
    const credit = async (of: object) => (await readCredit(db.pool, 'agr_x', of)).family
    expect(await readCredit(db.pool, 'agr_x', { supersedes: 'ord_f' })).toMatchObject({ credit_limit: 500, exposure: '132', family: '30' })
    expect([
      await credit({ orderId: 'ord_f2' }),
      await credit({ orderId: 'ord_i' }),
      await credit({ supersedes: 'ord_i' }),
      await credit({}),
    ]).toEqual([...['20', '0', '60', '0']])
    await rows(`set session_replication_role = replica; delete from orders where agreement_id in ('agr_x', 'agr_y'); delete from agreements where agreement_id in ('agr_x', 'agr_y');
      set session_replication_role = origin`)
  })
})

describe('the standing of a buyer', () => {
  it('is that with one seller, and changes with it alone', async () => {
    const read = (seller: string, buyer = 'buyer_one') => readBuyerStanding(db, seller, buyer)
    expect(await read('seller_one')).toEqual({ buyer_entity: 'buyer_one', status: 'suspended', allowlisted: true })
    expect(await read('seller_two')).toMatchObject({ status: 'active', allowlisted: true })
    expect(await read('seller_three')).toMatchObject({ status: 'active', allowlisted: false })
    expect((await listBuyerStandings(db, 'seller_one', undefined, 9)).map(({ buyer_entity }) => buyer_entity)).toEqual([
      'buyer_one',
      'buyer_two',
    ])
    expect(await listBuyerStandings(db, 'seller_one', undefined, 1)).toHaveLength(1)
    expect(await listBuyerStandings(db, 'seller_one', 'buyer_one', 9)).toMatchObject([OTHER_BUYER])
    const seller = operator('seller_two', 'seller', 'platform')
    await saveBuyerStanding(db, seller, { buyer_entity: 'buyer_one', status: 'suspended', allowlisted: true })
    const [act] = await listSecurityEvents(db, 'seller_two', {}, undefined, 1)
    expect(act).toMatchObject({ before: { status: 'active' }, after: { status: 'suspended' } })
    expect(await read('seller_one', 'buyer_two')).toMatchObject({ status: 'suspended' })
  })

  it.each([
    ['seller_one', 'buyer_one', true],
    ['seller_one', 'buyer_two', true],
    ['seller_two', 'buyer_one', true],
    ['seller_two', 'buyer_three', true],
    ['seller_three', 'buyer_one', false],
    ['seller_one', 'buyer_three', false],
  ])('%s has dealt with %s: %s', async (seller, buyer, dealt) => {
    expect(await hasDealtWith(db, seller, buyer)).toBe(dealt)
  })

  it('is not needed where there is an agreement or an order', async () => {
    await insertRows(db.owner(), [anAgreementRow('agr_three', { seller: 'seller_three', buyer_entity: 'buyer_three' })])
    expect(await Promise.all(['buyer_three', 'buyer_two'].map((buyer) => hasDealtWith(db, 'seller_three', buyer)))).toEqual([true, false])
  })
})

describe('the creatives of a buyer', () => {
  beforeAll(() =>
    insertRows(
      db.owner(),
      ['crv_2', 'crv_1', 'crv_3', 'crv_theirs'].map(
        (creative_id) =>
          [
            'creatives',
            {
              ...{
                creative_id,
                buyer_entity: creative_id === 'crv_theirs' ? 'buyer_two' : 'buyer_one',
                creative_code: `code ${creative_id}`,
              },
              ...{ name: 'Spot', length_seconds: 30, created_at: new Date() },
            },
          ] as const,
      ),
    ),
  )
  it('are listed and found as its own, and archived one at a time', async () => {
    const listed = async (after?: string, limit = 9) =>
      (await listCreatives(db, 'buyer_one', after, limit)).map(({ creative_id }) => creative_id)
    expect([await listed(), await listed('crv_1', 1)]).toEqual([['crv_1', 'crv_2', 'crv_3'], ['crv_2']])
    expect([...(await creativeCodes(db, 'buyer_one', ['crv_1', 'crv_theirs'])).values()]).toEqual(['code crv_1'])
    expect(await archiveCreative(db, 'buyer_one', 'crv_theirs')).toBeUndefined()
    expect(await archiveCreative(db, 'buyer_one', 'crv_1')).toMatchObject({ status: 'archived' })
    expect(await rows(`select creative_id from creatives where status = 'archived'`)).toEqual([{ creative_id: 'crv_1' }])
  })
})

const credentialOf = (entity: string, credential_id: string, more: object = {}) =>
  [
    'credentials',
    { credential_id, entity, side: 'buyer', token_sha256: randomBytes(32), last_four: '0000', scopes: ['orders:read'], ...more },
  ] as const

describe('the credentials of a tenant', () => {
  const credential = (credential_id: string, more: object = {}) => credentialOf('buyer_one', credential_id, more)
  beforeAll(() =>
    insertRows(db.owner(), [
      credential('cred_1'),
      credential('cred_2', { expires_at: SOON }),
      credential('cred_3', { expires_at: PAST }),
      credential('cred_4', { revoked_at: PAST }),
      credential('cred_5', { entity: 'buyer_two' }),
      ['fresh_tenants', { entity: 'buyer_three', side: 'buyer', made_by: 'one', expires_at: SOON }],
    ]),
  )
  it('count while they are neither revoked nor over: the newest is taken', async () => {
    expect(await newestCredential(db, 'buyer_one')).toBe('cred_2')
    expect(await newestCredential(db, 'buyer_three')).toBeUndefined()
    await revokeCredential(db, 'cred_2')
    expect(await newestCredential(db, 'buyer_one')).toBe('cred_1')
  })

  it('pass what they authorize to a successor of the same tenant', async () => {
    await insertRows(db.owner(), [
      ...[
        credential('cred_a'),
        credential('cred_b', { scopes: ['webhooks:write', 'orders:read'] }),
        credential('cred_c', { entity: 'buyer_two' }),
      ],
      anEndpointRow('whe_1', { credential_id: 'cred_a' }),
    ])
    await expect(revokeCredential(db, 'cred_a', { successor: 'cred_c' })).rejects.toThrow('not an active credential')
    expect(await revokeCredential(db, 'cred_a', { successor: 'cred_b' })).toEqual({ stopped: 0 })
    expect(await rows('select credential_id from webhook_endpoints')).toEqual([{ credential_id: 'cred_b' }])
    await db.owner().query(`update credentials set revoked_at = now() where credential_id in ('cred_b', 'cred_c')`)
  })

  it('are of people who may take its role, unless it was made on demand', async () => {
    await nameTenant(db, 'buyer_two', 'Buyer Two')
    for (const entity of ['seller_two', 'seller_one'])
      await db.owner().query(`update tenants set created_at = '2026-01-01' where entity = $1`, [entity])
    const personas = (await listPersonas(db)).map(({ persona }) => persona)
    expect(personas.slice(0, 2)).toEqual(['seller_one', 'seller_two'])
    expect(personas).not.toContain('buyer_three')
    expect(await Promise.all(['buyer_one', 'buyer_two', 'nobody'].map((entity) => tenantName(db, entity)))).toEqual([
      ...['Name of buyer_one', 'Buyer Two', 'nobody'],
    ])
  })

  it('open sessions, a hundred of each at most, of which those that are over end first', async () => {
    const actor = { ...operator('buyer_one', 'buyer', 'platform'), credential_id: 'cred_1' }
    const session = (credential_id: string, at: number, more: object = {}) => {
      const opened_at = new Date(Date.now() - 60_000 * (200 - at))
      return [
        'sessions',
        { session_sha256: randomBytes(32), credential_id, person: `p${at}`, opened_at, used_at: new Date(), ends_at: SOON, ...more },
      ] as const
    }
    const ninetyEight = Array.from({ length: 98 }, (_, at) => session('cred_1', at + 10))
    const unused = new Date(Date.now() - 8 * 3_600_000 - 1_000)
    await insertRows(db.owner(), [
      ...ninetyEight,
      session('cred_1', 150, { ends_at: PAST }),
      session('cred_1', 151, { used_at: unused }),
      session('cred_5', 1, { ends_at: PAST }),
      session('cred_5', 180),
      session('cred_5', 181),
    ])
    const people = async (credential_id: string) =>
      (await rows(`select person from sessions where credential_id = '${credential_id}' order by opened_at`)).map(({ person }) => person)
    expect(isSessionForm(await openSession(db, actor, 'new one'))).toBe(true)
    const after = await people('cred_1')
    expect([after.length, after[0], after.includes('p150'), after.includes('p151')]).toEqual([99, 'p10', false, false])
    for (const person of ['second', 'third']) await openSession(db, actor, person)
    const last = await people('cred_1')
    expect([last.length, last[0], last.at(-1)]).toEqual([100, 'p11', 'third'])
    expect(await people('cred_5')).toEqual(['p1', 'p180', 'p181'])
  })
})

describe('the audit log of a tenant', () => {
  const event = (event_id: string, more: object = {}) =>
    [
      'security_events',
      { event_id, entity: 'someone', side: 'seller', action: 'secret.set', via: 'api', occurred_at: '2026-01-01T00:00:00Z', ...more },
    ] as const
  beforeAll(() =>
    insertRows(db.owner(), [
      event('sec_1', { credential_id: 'cred_of_another' }),
      event('sec_2', { occurred_at: '2026-01-02T00:00:00Z', credential_id: 'cred_log' }),
      event('sec_3', { action: 'token.issued', occurred_at: '2026-01-03T00:00:00Z', credential_id: 'sub_log' }),
      event('sec_4', { entity: 'buyer_one' }),
      ...['sub_log', 'sub_log_2'].map(
        (subject_id) => ['subjects', { subject_id, entity: 'someone', issuer: 'i', subject: `its ${subject_id}` }] as const,
      ),
      ...['cred_log', 'cred_log_2'].map((id, at) => credentialOf('someone', id, { last_four: `000${at + 1}` })),
      ['subjects', { subject_id: 'cred_of_another', entity: 'buyer_two', issuer: 'i', subject: 'not shown' }],
      [
        'credentials',
        {
          ...{ credential_id: 'cred_of_another', entity: 'buyer_two', side: 'buyer', token_sha256: randomBytes(32), last_four: '9999' },
          ...{ scopes: [] },
        },
      ],
    ]),
  )
  it('is read newest first, by page, action and time, and names nobody else’s credential', async () => {
    const read = async (filter: object = {}, before?: string, limit = 9) => listSecurityEvents(db, 'someone', filter, before, limit)
    const ids = async (...asked: Parameters<typeof read>) => (await read(...asked)).map(({ event_id }) => event_id)
    expect(await ids()).toEqual(['sec_3', 'sec_2', 'sec_1'])
    expect(await ids({}, 'sec_3', 1)).toEqual(['sec_2'])
    expect(await ids({ action: ['token.issued'] })).toEqual(['sec_3'])
    expect(await ids({ from: '2026-01-02T00:00:00Z', to: '2026-01-03T00:00:00Z' })).toEqual(['sec_2'])
    const [first] = await read({ to: '2026-01-02T00:00:00Z' })
    expect(first).toMatchObject({ event_id: 'sec_1', last_four: null, subject: null })
    expect(await read({ from: '2026-01-02T00:00:00Z' })).toMatchObject([
      { last_four: null, subject: 'its sub_log' },
      { last_four: '0001', subject: null },
    ])
  })

  it('takes ten thousand acts a day, but no sign-ins, admissions, refusals or acts of others for them', async () => {
    const act = { entity: 'busy', side: 'seller', via: 'api', credential_id: 'cred_busy', source_ip: null } as const
    const acts = (n: number, more: string, days = 0) =>
      db.owner().query(`insert into security_events (event_id, entity, side, via, action, credential_id, occurred_at)
        select 'sec_0' || '${more.replace(/\W/g, '')}' || n, ${more}, now() - interval '${days} days' from generate_series(1, ${n}) n`)
    await acts(9_999, `'busy', 'seller', 'api', 'secret.set', 'cred_busy'`)
    await acts(5, `'busy', 'seller', 'platform', 'secret.set', null`)
    await acts(5, `'busy', 'seller', 'api', 'sign_in.refused', 'cred_busy'`)
    await acts(999, `'busy', 'seller', 'console', 'session.opened', 'cred_busy'`)
    await acts(5, `'busy', 'seller', 'console', 'session.opened', 'cred_other'`)
    await acts(5, `'busy', 'seller', 'api', 'subject.admitted', 'cred_busy'`)
    await acts(5, `'idle', 'seller', 'api', 'secret.set', 'cred_busy'`)
    const record = (action: 'secret.set' | 'session.opened') =>
      db.sql
        .transaction()
        .execute((tx) => recordAct(tx, act, { action }))
        .then(
          () => 'recorded',
          ({ code }) => code,
        )
    expect([await record('secret.set'), await record('secret.set')]).toEqual(['recorded', 'RATE_LIMITED'])
    expect([await record('session.opened'), await record('session.opened')]).toEqual(['recorded', 'RATE_LIMITED'])
    await rows(`set session_replication_role = replica; update security_events set occurred_at = now() - interval '25 hours' where entity = 'busy';
      set session_replication_role = origin`)
    expect(await record('secret.set')).toBe('recorded')
  })
})

describe('a seller’s settings', () => {
  const actor = operator('seller_one', 'seller', 'platform')
  it('are its own: profile, rules, use of the API, products and secrets', async () => {
    await saveProfile(db, actor, SellerProfile.parse({ approval: 'rules' }))
    await saveApprovalRules(db, actor, [{ id: 'r1', when: {}, then: 'hold' } as never])
    await recordApiUse(db, 'seller_one')
    expect(await readApprovalRules(db, 'seller_one')).toMatchObject({ rules: [{ id: 'r1' }], in_force: true })
    expect(await readApprovalRules(db, 'seller_two')).toEqual({ rules: [], in_force: false })
    expect(await readConformance(db, 'seller_one')).toMatchObject({ profile: { approval: 'rules' }, uses_api: true, has_products: false })
    await insertRows(db.owner(), [aProductRow('prime', { added_by: 7 })])
    await db.owner().query(`update sellers set unpublished_commit_nos = '{7}' where seller = 'seller_one'`)
    expect(await readConformance(db, 'seller_one')).toMatchObject({ has_products: false })
    await db.owner().query(`update sellers set unpublished_commit_nos = '{}' where seller = 'seller_one'`)
    expect(await readConformance(db, 'seller_one')).toMatchObject({ has_products: true })
    expect(await readConformance(db, 'seller_two')).toMatchObject({ uses_api: false, has_products: false })
  })

  it('are not replaced by who has not seen what another replaces them with at the same time', async () => {
    const client = await db.pool.connect()
    const saves = [
      () => saveProfile(db, actor, SellerProfile.parse({ approval: 'console' }), (version) => version === seen.profile),
      () => saveApprovalRules(db, actor, [], (version) => version === seen.rules),
    ]
    const seen = { profile: '', rules: '' }
    try {
      for (const save of saves) {
        const { profile } = await readConformance(db, 'seller_one')
        const { rules } = await readApprovalRules(db, 'seller_one')
        Object.assign(seen, { profile: documentVersion(profile), rules: documentVersion(rules) })
        await client.query('begin')
        await client.query(
          `update sellers set profile = profile || '{"holds":true}', approval_rules = '[{"id":"r9"}]' where seller = 'seller_one'`,
        )
        const saved = save().catch(({ code }) => code)
        await until(async () => (await rows('select from pg_locks where not granted')).length > 0)
        await client.query('commit')
        expect(await saved).toBe('CONFLICT')
        await rows(`update sellers set profile = profile - 'holds', approval_rules = '[]' where seller = 'seller_one'`)
      }
    } finally {
      client.release()
    }
  })

  it('have secrets by name', async () => {
    const key = randomBytes(32)
    const box = await openSecrets(db, () => [key])
    for (const [seller, name] of [
      ['seller_one', 'one'],
      ['seller_one', 'other'],
      ['seller_two', 'one'],
    ] as const)
      await saveSecret(db, box, operator(seller, 'seller', 'platform'), name, `${seller} ${name}`)
    expect(await readSecret(db, box, 'seller_one', 'one')).toBe('seller_one one')
    expect(await readSecret(db, box, 'seller_two', 'one')).toBe('seller_two one')
    await saveSecret(db, box, actor, 'one', 'new')
    expect(await readSecret(db, box, 'seller_two', 'one')).toBe('seller_two one')
    expect(await readSecret(db, box, 'seller_one', 'other')).toBe('seller_one other')
  })

  it('count what each rule did in thirty days', async () => {
    const ago = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 10)
    const day = (days: number, more: object = {}) =>
      [
        'approval_rule_days',
        { seller: 'seller_two', rule_id: 'r1', day: ago(days), shard: 0, approved: 1, last_used_at: PAST, ...more },
      ] as const
    await insertRows(db.owner(), [
      day(29),
      day(30),
      day(29, { seller: 'seller_three' }),
      day(31, { seller: 'seller_three' }),
      day(28, { rule_id: 'r2', held: 2 }),
    ])
    expect(Object.fromEntries(await readRuleActivity(db, 'seller_two'))).toMatchObject({
      r1: { approved: 1 },
      r2: { approved: 1, held: 2 },
    })
    await db.sql.transaction().execute(async (tx) => {
      for (const then of ['approve', 'reject', 'hold'] as const) await countRule(tx, 'seller_two', 'ord_1', { id: 'r1', then })
      await deleteOldRuleActivity(tx, 'seller_two')
    })
    const [r1] = (await readRuleActivity(db, 'seller_two')).values()
    expect(r1).toMatchObject({ approved: 2, rejected: 1, held: 1 })
    const lastUsed = async () => Date.parse((await readRuleActivity(db, 'seller_two')).get('r1')?.last_used_at ?? '')
    expect(await lastUsed()).toBeGreaterThan(Date.parse(PAST) + 3_000_000)
    await db.owner().query(`update approval_rule_days set last_used_at = $1`, [PAST])
    await db.sql.transaction().execute((tx) => countRule(tx, 'seller_two', 'ord_1', { id: 'r1', then: 'hold' }))
    expect(await lastUsed()).toBeGreaterThan(Date.parse(PAST) + 3_000_000)
    expect(await rows(`select seller, count(*)::int as days from approval_rule_days group by 1 order by 1`)).toEqual([
      { seller: 'seller_three', days: 2 },
      { seller: 'seller_two', days: 3 },
    ])
  })
})
