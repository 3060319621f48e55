import { randomBytes } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { EVENT_TYPES } from '../../../src/contract/vocabulary.ts'
import { changeEndpoint, enableEndpoint } from '../../../src/store/delivery/changeEndpoint.ts'
import { callSender, renewEndpoints, takeEndpoint } from '../../../src/store/delivery/endpointSenders.ts'
import { closeExpired, endAuthority } from '../../../src/store/delivery/eventAuthority.ts'
import { readFeed } from '../../../src/store/delivery/feed.ts'
import { watchFeed } from '../../../src/store/delivery/feedWatch.ts'
import {
  advanceDelivery,
  deleteQueueDelivery,
  dueQueues,
  noteFailure,
  putQueueDelivery,
  readQueueDelivery,
} from '../../../src/store/delivery/queueDeliveries.ts'
import {
  addEndpoint,
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  rotateSecret,
  saveHealth,
} from '../../../src/store/delivery/webhookEndpoints.ts'
import { openSecrets, type SecretBox } from '../../../src/store/tenants/secrets.ts'
import { operator } from '../../../src/store/tenants/securityEvents.ts'
import { FULL_AUTHORITY } from '../../support/access/authority.ts'
import { anEndpointRow, aTenantRow, insertRows, PAST, SOON } from '../../support/orders/rowsOfMarket.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
const actor = operator('buyer_one', 'buyer', 'platform')
const OTHER = { tenant: 'buyer_two' }
let box: SecretBox
beforeAll(async () => {
  const key = randomBytes(32)
  box = await openSecrets(db, () => [key])
  await insertRows(
    db.owner(),
    ['buyer_one', 'buyer_two'].map((entity) => aTenantRow(entity, 'buyer')),
  )
})
beforeEach(async () => {
  await db.owner().query(`truncate webhook_endpoints, deliveries, endpoint_senders, outbox, queue_deliveries, credentials cascade;
    set session_replication_role = replica; delete from feed; delete from notices; set session_replication_role = origin`)
})
const rows = async (sql: string) => (await db.owner().query(sql)).rows
const endpoints = (...made: Parameters<typeof anEndpointRow>[]) =>
  insertRows(
    db.owner(),
    made.map((row) => anEndpointRow(...row)),
  )
const of = async (where: string) =>
  (await rows(`select endpoint_id from webhook_endpoints where ${where} order by 1`)).map(({ endpoint_id }) => endpoint_id)
const idOf = (found: { endpoint_id: string } | undefined) => found?.endpoint_id

describe('the endpoints of a tenant', () => {
  beforeEach(() =>
    endpoints(['whe_2', {}], ['whe_1', {}], ['whe_3', { status: 'deleted' }], ['whe_4', OTHER], ['whe_5', { status: 'disabled' }]),
  )

  it('are its own that are not deleted, by id and page', async () => {
    const list = async (after?: string, limit = 9) =>
      (await listEndpoints(db, box, 'buyer_one', after, limit)).map(({ endpoint_id }) => endpoint_id)
    expect([await list(), await list('whe_1', 1)]).toEqual([['whe_1', 'whe_2', 'whe_5'], ['whe_2']])
    const found = ['whe_1', 'whe_3', 'whe_4', 'whe_5'].map((id) => findEndpoint(db, box, 'buyer_one', id))
    expect((await Promise.all(found)).map(idOf)).toEqual(['whe_1', undefined, undefined, 'whe_5'])
  })

  it('are changed, enabled, rotated and deleted one by one', async () => {
    const url = 'https://new.example/'
    const change = (id: string) => changeEndpoint(db, box, actor, FULL_AUTHORITY, id, { url })
    expect([idOf(await change('whe_1')), await change('whe_3'), await change('whe_4')]).toEqual(['whe_1', undefined, undefined])
    expect(await of(`url = '${url}'`)).toEqual(['whe_1'])
    const enable = (id: string) => enableEndpoint(db, box, actor, FULL_AUTHORITY, id)
    expect([idOf(await enable('whe_5')), await enable('whe_3'), await enable('whe_4')]).toEqual(['whe_5', undefined, undefined])
    expect(await of(`status = 'active'`)).toEqual(['whe_1', 'whe_2', 'whe_4', 'whe_5'])
    const rotated = await Promise.all(['whe_1', 'whe_3', 'whe_4'].map((id) => rotateSecret(db, box, actor, id)))
    expect(rotated.map((one) => one !== undefined)).toEqual([true, false, false])
    expect(await of(`previous_secrets::text <> '[]'`)).toEqual(['whe_1'])
    expect(await Promise.all(['whe_2', 'whe_4', 'whe_none'].map((id) => deleteEndpoint(db, actor, id)))).toEqual([true, false, false])
    expect(await of(`status = 'deleted'`)).toEqual(['whe_2', 'whe_3'])
  })

  it('keep each of several secrets that replace one another at a time', async () => {
    await Promise.all([1, 2, 3].map(() => rotateSecret(db, box, actor, 'whe_1')))
    expect(await rows(`select jsonb_array_length(previous_secrets) as n from webhook_endpoints where endpoint_id = 'whe_1'`)).toEqual([
      { n: 3 },
    ])
  })

  it('have their health saved while they are active', async () => {
    for (const id of ['whe_1', 'whe_5']) await saveHealth(db, id, { failingSince: Date.now() })
    expect(await of('failing_since is not null')).toEqual(['whe_1'])
  })

  it('are fifty at most, deleted ones and those of others not counted', async () => {
    await endpoints(...Array.from({ length: 46 }, (_, n): [string] => [`whe_n${n}`]))
    const added = await Promise.allSettled(
      [1, 2, 3].map(() => addEndpoint(db, box, actor, FULL_AUTHORITY, { url: 'https://one.example/' })),
    )
    expect(added.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })
})

describe('what a credential authorized', () => {
  const credential = (credential_id: string, more: object = {}) =>
    [
      'credentials',
      {
        ...{ credential_id, entity: 'buyer_one', side: 'buyer', token_sha256: randomBytes(32), last_four: '0000' },
        ...{ scopes: ['webhooks:write', 'orders:read', 'catalog:read', 'settlement:read'], ...more },
      },
    ] as const
  const queue = (tenant: string, more: object = {}) =>
    [
      'queue_deliveries',
      { tenant, txid: '1', position: 0, credential_id: 'cred_old', readable: ['order.status_changed'], ...more },
    ] as const

  it('ends with it: its active endpoints and its queue, and nothing else', async () => {
    const old = { credential_id: 'cred_old' }
    await endpoints(
      ['whe_1', old],
      ['whe_2', { ...old, status: 'disabled', disabled_reason: 'gone' }],
      ['whe_3', { credential_id: 'cred_new' }],
      ['whe_4', old],
    )
    await insertRows(db.owner(), [queue('buyer_one'), queue('buyer_two', { credential_id: 'cred_new' })])
    expect(await db.sql.transaction().execute((tx) => endAuthority(tx, 'cred_old', 'credential_revoked', 'platform'))).toBe(3)
    expect(await of(`disabled_reason = 'credential_revoked'`)).toEqual(['whe_1', 'whe_4'])
    expect(await rows('select tenant from queue_deliveries where failure is not null')).toEqual([{ tenant: 'buyer_one' }])
  })

  it('passes, when it is over, to the valid credential of the tenant that may manage it and lasts longest', async () => {
    const over = { credential_id: 'cred_old', authorized_until: PAST }
    await endpoints(
      ['whe_1', over],
      ['whe_2', { ...over, status: 'disabled' }],
      ['whe_3', { ...over, authorized_until: SOON }],
      ['whe_4', { ...over, ...OTHER, credential_id: 'cred_far' }],
    )
    await insertRows(db.owner(), [
      queue('buyer_one', over),
      queue('buyer_two', { credential_id: 'cred_other', authorized_until: SOON }),
      credential('cred_1', { expires_at: SOON }),
      credential('cred_2'),
      credential('cred_3'),
      credential('cred_4', { scopes: ['orders:read'] }),
      credential('cred_5', { revoked_at: PAST }),
      credential('cred_6', { expires_at: PAST }),
      credential('cred_7', { entity: 'buyer_two', expires_at: PAST }),
    ])
    await closeExpired(db)
    const held = await rows('select endpoint_id, credential_id from webhook_endpoints order by 1')
    expect(held.map((row) => Object.values(row).join())).toEqual(['whe_1,cred_3', 'whe_2,cred_old', 'whe_3,cred_3', 'whe_4,'])
    expect(await rows('select tenant, credential_id from queue_deliveries order by 1')).toMatchObject([
      { credential_id: 'cred_3' },
      { credential_id: 'cred_other' },
    ])
  })
})

describe('the senders of endpoints', () => {
  const sender = (endpoint_id: string, held_until: string, more: object = {}) =>
    ['endpoint_senders', { endpoint_id, sender: 'one', held_until, ...more }] as const
  const held = async () =>
    (await rows('select endpoint_id, sender, woken from endpoint_senders order by 1')).map((row) => Object.values(row).join())

  it('take what no other holds, and call the others', async () => {
    await insertRows(db.owner(), [sender('whe_1', SOON), sender('whe_2', PAST), sender('whe_3', SOON, { sender: 'two', woken: true })])
    const take = (endpointId: string) => takeEndpoint(db.pool, { endpointId, sender: 'two' })
    expect(await Promise.all(['whe_1', 'whe_2', 'whe_3', 'whe_4'].map(take))).toEqual([
      ...[{ elsewhereMs: expect.any(Number) }, 'taken', 'taken', 'taken'],
    ])
    expect(await held()).toEqual(['whe_1,one,true', 'whe_2,two,false', 'whe_3,two,false', 'whe_4,two,false'])
    const kept = await rows(`select endpoint_id from endpoint_senders where held_until > now() + interval '10 s'`)
    expect(kept).toEqual([{ endpoint_id: 'whe_1' }])
  })

  it('are called where they hold their endpoint, and renew what they hold', async () => {
    await insertRows(db.owner(), [
      sender('whe_1', SOON),
      sender('whe_2', PAST),
      sender('whe_3', SOON),
      sender('whe_4', PAST, { sender: 'two' }),
    ])
    expect(await Promise.all(['whe_1', 'whe_2', 'whe_none'].map((id) => callSender(db.pool, id)))).toEqual([true, false, false])
    expect(await held()).toEqual(['whe_1,one,true', 'whe_2,one,false', 'whe_3,one,false', 'whe_4,two,false'])
    await db.owner().query(`update endpoint_senders set held_until = '-infinity' where endpoint_id = 'whe_3'`)
    expect((await renewEndpoints(db.pool, 'one', ['whe_1', 'whe_2', 'whe_3', 'whe_4'])).sort()).toEqual(['whe_1', 'whe_2'])
    expect(await renewEndpoints(db.pool, 'one', ['whe_2'])).toEqual(['whe_2'])
  })
})

describe('the feed of a tenant', () => {
  const notice = (event_id: string, tenant = 'buyer_one', body = event_id) => ['notices', { event_id, tenant, body }] as const
  const row = (event_id: string, txid: number, more: object = {}) =>
    ['feed', { tenant: 'buyer_one', txid: String(txid), event_type: 'catalog.window_opened', event_id, ...more }] as const
  beforeEach(() =>
    insertRows(db.owner(), [
      ...['evt_1', 'evt_2', 'evt_3', 'evt_4'].map((id) => notice(id)),
      ...[notice('evt_1', 'buyer_two', 'not shown'), notice('evt_5', 'buyer_two')],
      ...[row('evt_3', 3), row('evt_1', 1), row('evt_2', 1), row('evt_5', 1, OTHER), row('evt_4', 2 ** 40)],
    ]),
  )

  it('is read in its order after a place, below what is open', async () => {
    const read = async (after: { txid: string; position: string }, filter: object = {}, limit = 9) =>
      (await readFeed(db, 'buyer_one', after, filter, limit)).events
    const start = { txid: '0', position: '0' }
    expect([await read(start), await read(start, {}, 1)]).toEqual([['evt_1', 'evt_2', 'evt_3'], ['evt_1']])
    const { last } = await readFeed(db, 'buyer_one', start, {}, 1)
    expect([await read(last), await read(last, { events: ['catalog.window_opened'] }, 1)]).toEqual([['evt_2', 'evt_3'], ['evt_2']])
    expect(await read(start, { events: ['order.status_changed'] })).toEqual([])
  })

  it('is watched for its own next event', async () => {
    const watch = watchFeed(db, 5)
    const next = (tenant: string, txid: string) => watch.next(tenant, { txid, position: '0' }, 60, new AbortController().signal)
    expect(await Promise.all([next('buyer_one', '0'), next('buyer_one', '3'), next('buyer_one', '4'), next('buyer_two', '2')])).toEqual([
      ...[true, true, false, false],
    ])
    watch.close()
  })

  const queue = (tenant: string, more: object = {}) =>
    ['queue_deliveries', { tenant, txid: '1', position: 0, credential_id: 'cred_1', readable: [...EVENT_TYPES], ...more }] as const

  it('goes to the queue of a tenant that has a valid credential and events left', async () => {
    await insertRows(db.owner(), [queue('buyer_one'), queue('buyer_two', { txid: '2' })])
    const due = async (...apart: string[]) => (await dueQueues(db.pool, apart)).map(({ tenant }) => tenant)
    expect([await due(), await due('buyer_one')]).toEqual([['buyer_one'], []])
    for (const change of [`credential_id = null`, `credential_id = 'c', authorized_until = now()`, `authorized_until = null, txid = '4'`]) {
      await db.owner().query(`update queue_deliveries set ${change} where tenant = 'buyer_one'`)
      expect(await due()).toEqual([])
    }
    expect(await readQueueDelivery(db.pool, 'buyer_one')).toMatchObject({ up_to_date: false })
    expect(await readQueueDelivery(db.pool, 'buyer_two')).toMatchObject({ up_to_date: true })
    await db
      .owner()
      .query(`update queue_deliveries set txid = '3', authorized_until = now() + interval '1 hour' where tenant = 'buyer_one'`)
    expect(await due()).toEqual(['buyer_one'])
  })

  it('moves on in a queue from where it was, and notes why it does not', async () => {
    await insertRows(db.owner(), [queue('buyer_one'), queue('buyer_two', { txid: '0' })])
    const at = (txid: string, position = '0') => ({ txid, position })
    await noteFailure(db.pool, 'broker_unreachable', 'buyer_one')
    expect(await rows('select tenant from queue_deliveries where failure is not null')).toEqual([{ tenant: 'buyer_one' }])
    const [{ failing_since }] = await rows('select failing_since from queue_deliveries where failure is not null')
    await noteFailure(db.pool, 'access_refused')
    expect(await rows('select tenant, failure from queue_deliveries order by 1')).toMatchObject([
      { failure: 'access_refused' },
      { failure: 'access_refused' },
    ])
    expect(await rows(`select failing_since from queue_deliveries where tenant = 'buyer_one'`)).toEqual([{ failing_since }])
    expect([
      await advanceDelivery(db.pool, 'buyer_one', at('2'), at('9')),
      await advanceDelivery(db.pool, 'buyer_one', at('1', '5'), at('9')),
    ]).toEqual([false, false])
    expect(await advanceDelivery(db.pool, 'buyer_one', at('1'), at('3'))).toBe(true)
    expect(await rows('select tenant, txid::text, failure from queue_deliveries order by 1')).toEqual([
      { tenant: 'buyer_one', txid: '3', failure: null },
      { tenant: 'buyer_two', txid: '0', failure: 'access_refused' },
    ])
    await db.owner().query(`update queue_deliveries set credential_id = null`)
    expect(await advanceDelivery(db.pool, 'buyer_one', at('3'), at('4'))).toBe(false)
  })

  it('is set up, changed and ended for one tenant', async () => {
    await insertRows(db.owner(), [queue('buyer_two', { events: ['order.status_changed'] })])
    await putQueueDelivery(db, actor, FULL_AUTHORITY, { events: null, statuses: null }, { txid: '7', position: '8' })
    await putQueueDelivery(db, actor, FULL_AUTHORITY, { events: ['catalog.window_opened'], statuses: null }, undefined)
    expect(await rows('select tenant, txid::text, position::text, events from queue_deliveries order by 1')).toEqual([
      { tenant: 'buyer_one', txid: '7', position: '8', events: ['catalog.window_opened'] },
      { tenant: 'buyer_two', txid: '1', position: '0', events: ['order.status_changed'] },
    ])
    expect([await deleteQueueDelivery(db, actor), await deleteQueueDelivery(db, actor)]).toEqual([true, false])
    expect(await rows('select tenant from queue_deliveries')).toEqual([{ tenant: 'buyer_two' }])
  })
})
