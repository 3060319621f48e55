import { expect, it } from '@jest/globals'
import type { Scope } from '../../../src/contract/vocabulary/access.ts'
import { EVENT_TYPES } from '../../../src/contract/vocabulary.ts'
import { topicsOf } from '../../../src/domain/events/subscription.ts'
import { up } from '../../../src/store/migrations/0054_event_authority.ts'
import { issueCredential } from '../../../src/store/tenants/credentials.ts'
import { migrateAgain } from '../../support/migrateAgain.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase({ max: 2 })

it('gives what an older database has the authority of the widest valid credential of its tenant', async () => {
  const issue = async (entity: string, scopes?: Scope[]) =>
    (await issueCredential(db, { entity, side: 'buyer', kind: 'test', ...(scopes === undefined ? {} : { scopes }) })).credential_id
  const full = await issue('full')
  await issue('full', ['webhooks:write'])
  const narrow = await issue('narrow', ['webhooks:write', 'orders:read'])
  await issue('none', ['orders:read'])
  for (const column of ['credential_id', 'authorized_until', 'readable'])
    for (const table of ['webhook_endpoints', 'queue_deliveries']) await db.owner().query(`alter table ${table} drop column ${column}`)
  for (const tenant of ['full', 'narrow', 'none']) {
    await db
      .owner()
      .query(`insert into webhook_endpoints (endpoint_id, tenant, url, secret) values ($1, $1, 'https://hooks.example', '')`, [tenant])
    await db.owner().query(`insert into queue_deliveries (tenant, txid, position) values ($1, '0', 0)`, [tenant])
  }

  await migrateAgain(db.owner(), (old) => old.transaction().execute(up))

  const { rows } = await db
    .owner()
    .query('select endpoint_id, credential_id, topics, readable, status, disabled_reason from webhook_endpoints order by 1')
  const kept = { status: 'active', disabled_reason: null }
  const readable = ['order.status_changed'] as const
  expect(rows).toEqual([
    { endpoint_id: 'full', credential_id: full, topics: null, readable: [...EVENT_TYPES], ...kept },
    { endpoint_id: 'narrow', credential_id: narrow, topics: topicsOf({ readable }), readable: [...readable], ...kept },
    { endpoint_id: 'none', credential_id: null, topics: null, readable: [], status: 'disabled', disabled_reason: 'credential_revoked' },
  ])
  const queues = await db.owner().query('select tenant, credential_id, failure from queue_deliveries order by 1')
  expect(queues.rows).toEqual([
    { tenant: 'full', credential_id: full, failure: null },
    { tenant: 'narrow', credential_id: narrow, failure: null },
    { tenant: 'none', credential_id: null, failure: 'credential_revoked' },
  ])
})
