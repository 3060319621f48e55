import { type Kysely, sql } from 'kysely'
import type { PricedValue } from '../../domain/publish/unpriced.ts'
import { batchesOfIds } from '../connection/batches.ts'
import type { Tx } from '../connection/database.ts'
import type { Tables } from '../connection/tables.ts'

/** Adds values, as many as one statement takes, to those known to be priced, in the scope of the open card or of one agreement. Removes none: a priced key stays priced. */
export async function savePricedValues(
  tx: Tx,
  { seller, agreementId, commitNo }: { seller: string; agreementId: string | undefined; commitNo: string },
  values: readonly PricedValue[],
): Promise<void> {
  await sql`
    insert into priced_values (seller, product_id, agreement_id, member, value, commit_no)
    select ${seller}, v.product_id, ${agreementId ?? ''}, v.member, v.value, ${commitNo}::bigint
    from unnest(${values.map((v) => v.product_id)}::text[], ${values.map((v) => v.member)}::text[], ${values.map((v) => v.value)}::text[])
      as v(product_id, member, value)
    on conflict do nothing`.execute(tx)
}

/** Returns what the open card and the cards of the named agreements (or of all) price, for the named products or for all. */
export async function readPricedValues(
  db: Kysely<Tables>,
  seller: string,
  scope: { agreementIds: readonly string[] | 'all'; productIds?: readonly string[] },
): Promise<PricedValue[]> {
  const { agreementIds, productIds } = scope
  if (productIds === undefined) return readValues(db, seller, agreementIds)
  const values: PricedValue[] = []
  for (const ids of batchesOfIds(productIds)) for (const value of await readValues(db, seller, agreementIds, ids)) values.push(value)
  return values
}

/** Returns the same for as many products as one statement takes, or for all. */
async function readValues(
  db: Kysely<Tables>,
  seller: string,
  agreementIds: readonly string[] | 'all',
  productIds?: readonly string[],
): Promise<PricedValue[]> {
  const inScope = agreementIds === 'all' ? sql`` : sql`and agreement_id = any(${['', ...agreementIds]}::text[])`
  const named = productIds === undefined ? sql`` : sql`and product_id = any(${productIds}::text[])`
  const { rows } = await sql<PricedValue>`
    select distinct product_id, member, value from priced_values
    where seller = ${seller}
      and (commit_no = any((select unpublished_commit_nos from sellers s where s.seller = ${seller})::bigint[])) is not true
      ${inScope} ${named}`.execute(db)
  return rows
}
