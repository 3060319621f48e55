import type pg from 'pg'

/** Rows as SQL, for tests that need those of several tenants, kinds and states side by side. Without triggers and references. */
export async function insertRows(owner: pg.Pool, rows: readonly (readonly [table: string, row: Readonly<Record<string, unknown>>])[]) {
  const client = await owner.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    for (const [table, row] of rows) {
      const columns = Object.keys(row)
      await client.query(
        `insert into ${table} (${columns.join(', ')}) ${NUMBERED.has(table) ? 'overriding system value' : ''}
         values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
        Object.values(row),
      )
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

/** Tables whose rows a test may number itself. */
const NUMBERED = new Set(['rate_commits', 'drops'])

/** An hour from now, and an hour ago. */
export const SOON = new Date(Date.now() + 3_600_000).toISOString()
export const PAST = new Date(Date.now() - 3_600_000).toISOString()
export const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** The parties of the rows below as readers, and what a row of others has in their place. */
export const BUYER = { entity: 'buyer_one', side: 'buyer' } as const
export const SELLER = { entity: 'seller_one', side: 'seller' } as const
export const OTHER_BUYER = { buyer_entity: 'buyer_two' }
export const OTHER_SELLER = { seller: 'seller_two' }

type More = Record<string, unknown>

export const aTenantRow = (entity: string, side: 'buyer' | 'seller') => ['tenants', { entity, side, name: `Name of ${entity}` }] as const
export const aSellerRowOf = (seller: string, more: More = {}) => ['sellers', { seller, profile: '{}', ...more }] as const

export const anAgreementRow = (agreement_id: string, more: More = {}) =>
  [
    'agreements',
    {
      ...{ agreement_id, seller: 'seller_one', buyer_entity: 'buyer_one', status: 'active', effective: '[2020-01-01,2099-12-31]' },
      ...{ body: JSON.stringify({ agreement_id, buyer_entity: more.buyer_entity ?? 'buyer_one' }), ...more },
    },
  ] as const

/** Its body says whose it is, so that a read shows which row it came from. */
export const aProductRow = (product_id: string, { body = {}, ...more }: More & { body?: object } = {}) =>
  [
    'products',
    {
      ...{ seller: 'seller_one', product_id, ...more },
      body: JSON.stringify({ product_id, row: `${product_id}${more.seller ?? ''}${more.added_by ?? ''}`, grains: ['week'], ...body }),
    },
  ] as const

export const aPriceRow = (locked_rate_id: string, more: More = {}) =>
  [
    'rate_entries',
    {
      ...{ locked_rate_id, seller: 'seller_one', commit: 'june', commit_no: 1, product_id: 'prime', week: '2030-W23' },
      ...{ market_class: 'scatter', advertiser_class: 'general', spot_length: 30, buy_type: 'preemptible' },
      ...{ gross_rate_unit: '100', currency: 'USD', ...more },
    },
  ] as const

export const aCommitRow = (commit: string, commit_no: number, more: More = {}) =>
  [
    'rate_commits',
    { seller: 'seller_one', commit, commit_no, effective: '[2030-05-27,2030-06-30]', body_sha256: '\\x00', reply: commit, ...more },
  ] as const

export const anAvailRow = (product_id: string, start: string, more: More = {}) =>
  [
    'avails',
    { seller: 'seller_one', product_id, grain: 'week', start, state: 'available', body: '{"spots":{"available":1}}', ...more },
  ] as const

export const aHoldRow = (hold_id: string, more: More = {}) =>
  [
    'holds',
    {
      ...{ hold_id, seller: 'seller_one', buyer_entity: 'buyer_one', status: 'held', lines: '[]', created_at: new Date() },
      ...{ expires_at: SOON, at_seller: false, ...more },
    },
  ] as const

export const anUploadRow = (upload_id: string, more: More = {}) =>
  [
    'uploads',
    {
      ...{ upload_id, buyer_entity: 'buyer_one', filename: 'plan.pdf', format: 'pdf', size_bytes: 1, status: 'uploaded' },
      ...{ created_at: new Date(), expires_at: SOON, ...more },
    },
  ] as const

export const anOrderRow = (order_id: string, more: More = {}) =>
  [
    'orders',
    {
      ...{ order_id, seller: 'seller_one', buyer_entity: 'buyer_one', external_order_id: order_id, workflow: 'catalog' },
      ...{ status: 'seller_review', last_seq: 1, created_at: new Date(), updated_at: new Date() },
      ...{ snapshot_head: `{"order_id":"${order_id}","revision":{"version":2}`, snapshot_lines: ',"line_items":[]', ...more },
    },
  ] as const

export const anEndpointRow = (endpoint_id: string, more: More = {}) =>
  [
    'webhook_endpoints',
    {
      ...{ endpoint_id, tenant: 'buyer_one', url: 'https://one.example/hook', secret: '\\x00', readable: ['order.status_changed'] },
      ...more,
    },
  ] as const
