import { beforeAll, describe, expect, it } from '@jest/globals'
import { type Database, openTenantDatabase } from '../../../src/store/connection/database.ts'
import { isRoleLeavable } from '../../../src/store/connection/leavableRole.ts'
import { admitScopeKey, scopeKey } from '../../../src/store/connection/scopeKey.ts'
import { tokenHash } from '../../../src/store/tenants/token.ts'
import { orderOfOthers, useApiDatabase } from '../../support/useApiDatabase.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const api = useApiDatabase(market)
beforeAll(async () => {
  await orderOfOthers(market)
  await market.zenith.post('/webhooks/endpoints', { url: 'https://hooks.example.com/zenith' })
})

describe('the role', () => {
  const signed = `current_setting('marketplace.acting')`
  it.each([
    'reset role',
    'set role none',
    `select set_config('role', 'none', false)`,
    'set role marketplace_platform',
    'set role postgres',
    'set session authorization postgres',
    'set session authorization default',
    'set row_security = off',
    'alter table orders disable row level security',
    'create policy forged on orders using (true)',
    'alter role marketplace_api superuser',
    'grant marketplace_platform to marketplace_api',
    `select set_config('marketplace.acting', '{"zenith"}', true)`,
    `set local marketplace.acting = '{"zenith"}'`,
    `select set_config('marketplace.acting', left(${signed}, 64) || '{"zenith"}', true)`,
    `select set_config('marketplace.acting', current_setting('marketplace.dealing'), true)`,
    `do $$ begin perform set_config('marketplace.acting', left(${signed}, 64) || '{"acme","zenith"}', true); execute 'reset role'; end $$`,
    'create function public.acting_tenants(text) returns text[] language sql as $$ select array[$1] $$',
    `create function pg_temp.acting_tenants() returns text[] language sql as $$ select '{zenith}'::text[] $$`,
    `select set_config('search_path', 'pg_temp', true)`,
  ])('cannot be left, and its scope not be widened: %s', async (attempt) => {
    const dealing = api.as(['acme']).withCounterparty(['zenith', 'station'])
    for (const then of [
      `select order_id from public.orders where buyer_entity = 'zenith'`,
      `select url from public.webhook_endpoints where tenant = 'zenith'`,
    ])
      expect([[], '42501', '22P02', '42704', '2F003']).toContainEqual(await triedIn(api.as(['acme']), attempt, then))
    expect([[], '42501']).toContainEqual(
      await triedIn(dealing, attempt, `select order_id from public.orders where buyer_entity = 'zenith'`),
    )
  })

  it('cannot be left within the statement either', async () => {
    const forged = `with forged as materialized (select set_config('marketplace.acting', left(${signed}, 64) || '{"zenith"}', true))
      select (select count(*) from forged) as forged, (select count(*) from orders where buyer_entity = 'zenith') as seen`
    await expect(api.as(['acme']).pool.query(forged)).rejects.toMatchObject({ code: '42501' })
  })

  it('reads no key and admits none, and knows a credential only by its token', async () => {
    const { pool } = api.as(['acme'])
    await expect(pool.query('select * from scope_keys')).rejects.toMatchObject({ code: '42501' })
    await expect(admitScopeKey(api, Buffer.alloc(32, 7))).rejects.toThrow(/^This database was last used with another key/)
    expect((await pool.query('select * from find_credential($1)', [tokenHash('guess')])).rows).toEqual([])
  })

  it('is the API login’s own, and an owner’s to leave: the start distinguishes them', async () => {
    expect(await isRoleLeavable(api)).toBe(false)
    const asOwner = openTenantDatabase(market.databaseUrl, scopeKey(market.secretsKey), { max: 1 })
    expect(await isRoleLeavable(asOwner)).toBe(true)
    await asOwner.close()
  })
})

/** The code of a refusal, or what can be read after the attempt: nothing of zenith's may show, whether it was refused or not. */
async function triedIn(tenant: Database, attempt: string, then: string): Promise<unknown> {
  const client = await tenant.pool.connect()
  try {
    await client.query('begin')
    const refused = await client.query(`${attempt}`).then(
      () => undefined,
      (error: { code: string }) => error.code,
    )
    if (refused !== undefined) return refused
    return (await client.query(then)).rows
  } catch (error) {
    return (error as { code: string }).code
  } finally {
    client.release(true)
  }
}
