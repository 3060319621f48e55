import type { PoolClient } from 'pg'
import type { DropResult } from '../../contract/drop.ts'
import { isInForce } from '../catalog/unpublished.ts'
import { statement } from '../connection/statement.ts'
import type { DropRow } from './drops.ts'

/**
 * Tells whether an ended run has refused something that may pass now, since what it was checked against has changed: products that were
 * published or changed after its catalog and cards were checked (a large drop goes on for long after that), an agreement that is known now,
 * orders that were placed since, a mapping that was made or named since. A drop that was rejected as a whole has left nothing, so that it is always checked again, like a PUT.
 */
export async function mayPassNow(
  client: Pick<PoolClient, 'query'>,
  { seller, registration, files, result }: Pick<DropRow, 'seller' | 'registration' | 'files' | 'result'>,
  sent: readonly NamedMapping[],
): Promise<boolean> {
  if (result == null) return false
  const { errors, errors_truncated: isCut } = JSON.parse(result) as Pick<DropResult, 'errors' | 'errors_truncated'>
  if (errors.length === 0) return false
  if (errors.some(({ error_code }) => WHOLE.has(error_code)) || namesOther(files, sent)) return true
  const ofPosts = new Set(files.flatMap(({ type, filename }) => (type === 'delivery_posts' ? [filename] : [])))
  const { rows } = await client.query<{ may_pass: boolean }>(
    MAY_PASS.bind({
      ...{ seller, registration },
      by_catalog: isCut === true || errors.some(({ file, error_code }) => !ofPosts.has(file) && OF_ENTRIES.has(error_code)),
      by_orders: isCut === true || errors.some(({ file, field = '' }) => ofPosts.has(file) && BY_ORDERS.has(field)),
      agreements: errors.flatMap(({ field, value }) => (field === 'agreement_id' && typeof value === 'string' ? [value] : [])),
    }),
  )
  return rows[0]?.may_pass === true
}

/** A file of a manifest, and the mapping that it names. */
export interface NamedMapping {
  readonly sha256: string
  readonly mapping?: string | undefined
}

/** Returns true if the same files are sent with other mappings. */
function namesOther(files: readonly NamedMapping[], sent: readonly NamedMapping[]): boolean {
  const earlier = new Map(files.map(({ sha256, mapping }) => [sha256, mapping]))
  return sent.some(({ sha256, mapping }) => mapping !== earlier.get(sha256))
}

/** Refusals of a whole drop for its integrity. */
const WHOLE: ReadonlySet<string> = new Set(['GRAIN_CONFLICT', 'DUPLICATE_EXTERNAL_REF'])
/** An unknown product, or an entry that is wrong, maybe for its product, as the count of an avail. */
const OF_ENTRIES: ReadonlySet<string> = new Set(['UNKNOWN_PRODUCT_ID', 'INVALID_ENTRY'])
/** The members of delivery posts that are checked against orders. */
const BY_ORDERS: ReadonlySet<string> = new Set(['order_id', 'seller_order_id', 'external_order_id', 'unit_id', 'makegood_for_unit_id'])

const MAY_PASS = statement(
  'may-pass-now',
  ['seller', 'registration', 'by_catalog', 'by_orders', 'agreements'],
  `select (:by_catalog::boolean and exists (
      select from products p where p.seller = :seller and ${isInForce('p', ':seller')} and p.updated_at > coalesce(d.checked_at, d.registered_at)
    )) or (:by_orders::boolean and exists (
      select from orders o where o.seller = :seller and o.placed_at > coalesce(d.checked_at, d.registered_at)
    )) or exists (
      select from drop_mappings m where m.seller = :seller and m.is_current and m.updated_at > d.registered_at
        and m.type in (select f->>'type' from json_array_elements(d.files) f)
    ) or exists (select from agreements a where a.seller = :seller and a.agreement_id = any(:agreements::text[])) as may_pass
    from drops d where d.seller = :seller and d.registration = :registration::bigint`,
)
