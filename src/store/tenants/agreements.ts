import { type Kysely, sql } from 'kysely'
import type { Agreement, BuyerStanding } from '../../contract/agreement.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Database, Tx } from '../connection/database.ts'
import { lockedTx, lockOn } from '../connection/lockedTransaction.ts'
import { statement } from '../connection/statement.ts'
import type { Tables } from '../connection/tables.ts'
import { type Expected, refuseUnexpected } from './documentVersion.ts'
import { type Actor, recordAct } from './securityEvents.ts'

/**
 * Saves an agreement under the id that its seller chose, unique among all sellers (choices, Agreement ids). NOT_FOUND if it is another
 * seller's, CONFLICT if the stored agreement is not the one that the sender expects.
 */
export async function saveAgreement(db: Database, actor: Actor, agreement: Agreement, expected: Expected = {}): Promise<Saved> {
  return lockedTx(db, agreementsLock(agreement), (tx) => save(tx, actor, agreement, expected))
}

/** Saves an agreement and takes it back, so that everything is checked. Refuses what `saveAgreement` would. */
export async function trySaveAgreement(db: Database, actor: Actor, agreement: Agreement, expected: Expected = {}): Promise<void> {
  const trial = async (tx: Tx) => {
    await save(tx, actor, agreement, expected)
    throw TRIED
  }
  await lockedTx(db, agreementsLock(agreement), trial).catch((error: unknown) => {
    if (error !== TRIED) throw error
  })
}

const agreementsLock = ({ seller }: Agreement) => lockOn(`agreements:${seller}`)

const TRIED = new Error('the transaction was a trial')
type Saved = 'created' | 'replaced'

async function save(tx: Tx, actor: Actor, agreement: Agreement, expected: Expected): Promise<Saved> {
  const { agreement_id, seller, buyer_entity, status, effective, external_ref } = agreement
  const current = await tx
    .selectFrom('agreements')
    .select(['seller', 'buyer_entity', 'body'])
    .where('agreement_id', '=', agreement_id)
    .executeTakeFirst()
  if (current !== undefined && current.seller !== seller) throw new Refusal('NOT_FOUND', 'There is no such agreement.')
  refuseUnexpected(expected, 'agreement', current?.body, agreement)
  // Refused because its pacing, credit and scoped cards would pass to another tenant.
  if (current !== undefined && current.buyer_entity !== buyer_entity) {
    const message = `${agreement_id} is an agreement with ${current.buyer_entity}, and stays one: choose another id.`
    throw new Refusal('INVALID_INPUT', message, { field: 'buyer_entity' })
  }
  await refuseSharedRef(tx, agreement)
  const row = {
    agreement_id,
    seller,
    buyer_entity,
    status,
    effective: `[${effective.start},${effective.end}]`,
    external_ref: external_ref ?? null,
    body: JSON.stringify(agreement),
    updated_at: new Date().toISOString(),
  }
  const { agreement_id: _, seller: __, ...changed } = row
  const kept = await tx
    .insertInto('agreements')
    .values(row)
    .onConflict((conflict) => conflict.column('agreement_id').doUpdateSet(changed).where('agreements.seller', '=', seller))
    .executeTakeFirst()
  // Another seller took the id between the read and the insert, and owns the row.
  if (kept.numInsertedOrUpdatedRows === 0n) throw new Refusal('NOT_FOUND', 'There is no such agreement.')
  if (current !== undefined && hasOtherMinutes(current.body, agreement)) await markDue(tx, agreement)
  const action = current === undefined ? 'agreement.granted' : 'agreement.changed'
  await recordAct(tx, actor, { action, target: agreement_id, before: current?.body ?? null, after: agreement })
  return current === undefined ? 'created' : 'replaced'
}

/** Returns true if a seller has an agreement, a standing or an order with a buyer of this name. */
export async function hasDealtWith({ pool }: Pick<Database, 'pool'>, seller: string, buyer_entity: string): Promise<boolean> {
  const { rows } = await pool.query<{ dealt: boolean }>(DEALT.bind({ seller, buyer_entity, pair: `${seller}/${buyer_entity}` }))
  return rows[0]?.dealt === true
}

const DEALT = statement(
  'has-dealt-with',
  ['seller', 'buyer_entity', 'pair'],
  `select exists (select from agreements where seller = :seller and buyer_entity = :buyer_entity)
    or exists (select from seller_buyers where seller = :seller and buyer_entity = :buyer_entity)
    or exists (select from orders where seller || '/' || buyer_entity = :pair) as dealt`,
)

function hasOtherMinutes({ reconciliation: before }: Agreement, { reconciliation: after }: Agreement): boolean {
  return before?.window_minutes !== after?.window_minutes || before?.match_minutes !== after?.match_minutes
}

/** Marks the orders under an agreement for reconciliation. */
async function markDue(tx: Tx, { agreement_id, seller }: Agreement): Promise<void> {
  await tx.selectNoFrom(({ fn, val }) => fn('mark_agreement_due', [val(agreement_id), val(seller)]).as('marked')).execute()
}

/** Refuses an external_ref that another relationship of the seller has; the refusal names both (contract, Special codes). */
async function refuseSharedRef(tx: Tx, { agreement_id, seller, external_ref }: Agreement): Promise<void> {
  if (external_ref === undefined) return
  const other = await tx
    .selectFrom('agreements')
    .select('agreement_id')
    .where('seller', '=', seller)
    .where('external_ref', '=', external_ref)
    .where('agreement_id', '<>', agreement_id)
    .executeTakeFirst()
  if (other === undefined) return
  const agreement_ids = [other.agreement_id, agreement_id]
  const message = `${agreement_ids.join(' and ')} share the external_ref ${external_ref}, which must be unique among a seller's relationships.`
  throw new Refusal('DUPLICATE_EXTERNAL_REF', message, { field: 'external_ref', external_ref, agreement_ids })
}

export interface AgreementFilter {
  seller?: string
  buyer_entity?: string
  /** Selects only agreements in force on this date. */
  inForceOn?: string
  after?: string | undefined
  limit: number
}

/** Lists agreements by id, of a seller, of a buyer, or between the two. */
export async function listAgreements(
  { sql: db }: Database,
  { seller, buyer_entity, inForceOn, after, limit }: AgreementFilter,
): Promise<Agreement[]> {
  let query = db.selectFrom('agreements').select('body').orderBy('agreement_id').limit(limit)
  if (seller !== undefined) query = query.where('seller', '=', seller)
  if (buyer_entity !== undefined) query = query.where('buyer_entity', '=', buyer_entity)
  if (after !== undefined) query = query.where('agreement_id', '>', after)
  if (inForceOn !== undefined) query = query.where('status', '=', 'active').where(sql<boolean>`effective @> ${inForceOn}::date`)
  return (await query.execute()).map(({ body }) => body)
}

export async function findAgreement({ sql: db }: Database, agreementId: string): Promise<Agreement | undefined> {
  return (await db.selectFrom('agreements').select('body').where('agreement_id', '=', agreementId).executeTakeFirst())?.body
}

/** Returns true if an id is that of another seller's agreement. */
export async function isForeignAgreement({ sql: db }: Database, seller: string, agreementId: string): Promise<boolean> {
  const row = await db
    .selectNoFrom(({ fn, val }) => fn<boolean>('is_foreign_agreement', [val(agreementId), val(seller)]).as('is_foreign'))
    .executeTakeFirst()
  return row?.is_foreign === true
}

/** Returns true if an id names an agreement that this seller granted, in force or not. */
export async function isAgreementOf(tx: Kysely<Tables>, seller: string, agreementId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('agreements')
    .select('agreement_id')
    .where('agreement_id', '=', agreementId)
    .where('seller', '=', seller)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the gross of the placed orders under an agreement, as decimal text; canceled ones no longer count (choices, Pacing). */
export async function bookedGross({ sql: db }: Database, agreementId: string): Promise<string> {
  const { booked } = await db
    .selectFrom('orders')
    .select(({ fn }) => fn.coalesce(fn.sum<string>('exposure'), sql<string>`0`).as('booked'))
    .where('agreement_id', '=', agreementId)
    .where('status', '=', 'placed')
    .executeTakeFirstOrThrow()
  return booked
}

/**
 * Returns a buyer's standing with a seller. A name that the seller never mentioned is active and on no allowlist, whether or not it is a
 * buyer's: no answer tells a seller who is on the marketplace.
 */
export async function readBuyerStanding({ sql: db }: Database, seller: string, buyer_entity: string): Promise<BuyerStanding> {
  const row = await db
    .selectFrom('seller_buyers')
    .select(['status', 'allowlisted'])
    .where('seller', '=', seller)
    .where('buyer_entity', '=', buyer_entity)
    .executeTakeFirst()
  return { buyer_entity, ...(row ?? NO_GRANT) }
}

/** Lists the standings that a seller has set, by buyer. */
export async function listBuyerStandings(
  { sql: db }: Pick<Database, 'sql'>,
  seller: string,
  after: string | undefined,
  limit: number,
): Promise<BuyerStanding[]> {
  const query = db.selectFrom('seller_buyers').select(['buyer_entity', 'status', 'allowlisted']).where('seller', '=', seller)
  return (after === undefined ? query : query.where('buyer_entity', '>', after)).orderBy('buyer_entity').limit(limit).execute()
}

const NO_GRANT = { status: 'active', allowlisted: false } as const

export async function saveBuyerStanding({ sql: db }: Database, actor: Actor, { buyer_entity, ...standing }: BuyerStanding): Promise<void> {
  const seller = actor.entity
  const changed = { ...standing, updated_at: new Date().toISOString() }
  await db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('seller_buyers')
      .select(['status', 'allowlisted'])
      .where('seller', '=', seller)
      .where('buyer_entity', '=', buyer_entity)
      .forUpdate()
      .executeTakeFirst()
    await tx
      .insertInto('seller_buyers')
      .values({ seller, buyer_entity, ...changed })
      .onConflict((conflict) => conflict.columns(['seller', 'buyer_entity']).doUpdateSet(changed))
      .execute()
    await recordAct(tx, actor, {
      action: 'buyer.changed',
      target: buyer_entity,
      before: before ?? NO_GRANT,
      after: standing,
    })
  })
}
