import { sql } from 'kysely'
import type { ApprovalRule } from '../../contract/approvalRules.ts'
import { SellerProfile } from '../../contract/seller.ts'
import type { Conformance } from '../../domain/discovery/conformanceLevel.ts'
import { isInForce } from '../catalog/unpublished.ts'
import type { Database, Tx } from '../connection/database.ts'
import { sharedPool } from '../connection/tenantScope.ts'
import { type IsSeen, refuseUnseen } from './documentVersion.ts'
import { deleteOldRuleActivity } from './ruleActivity.ts'
import { type Actor, recordAct } from './securityEvents.ts'

/** The profile of a seller that has not set one: catalog orders, decided over the API within a business day, no lead time. */
export const DEFAULT_PROFILE: SellerProfile = SellerProfile.parse({})

export async function makeSeller(tx: Tx, seller: string): Promise<void> {
  await tx
    .insertInto('sellers')
    .values({ seller, taxonomy_version: null, profile: JSON.stringify(DEFAULT_PROFILE) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Sets the name of a tenant for people; its entity remains its handle. */
export async function nameTenant({ sql }: Database, entity: string, name: string): Promise<void> {
  await sql.updateTable('tenants').set({ name }).where('entity', '=', entity).execute()
}

/** Returns a seller's profile and what else its level depends on. */
export async function readConformance({ sql: db }: Database, seller: string): Promise<Conformance & { currency: string }> {
  const row = await db
    .selectFrom('sellers')
    .select(['profile', 'uses_api', 'currency'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('products')
          .select('product_id')
          .whereRef('products.seller', '=', 'sellers.seller')
          .where(sql.raw<boolean>(isInForce('products', 'sellers.seller'))),
      ).as('has_products'),
    )
    .where('seller', '=', seller)
    .executeTakeFirstOrThrow()
  return { profile: row.profile, uses_api: row.uses_api, has_products: Boolean(row.has_products), currency: row.currency }
}

/** Replaces the profile. CONFLICT if the sender has not seen the stored one. */
export async function saveProfile({ sql }: Database, actor: Actor, profile: SellerProfile, isSeen?: IsSeen): Promise<void> {
  const seller = actor.entity
  await sql.transaction().execute(async (tx) => {
    const before = await tx.selectFrom('sellers').select('profile').where('seller', '=', seller).forUpdate().executeTakeFirstOrThrow()
    refuseUnseen(isSeen, 'profile', before.profile, profile)
    await tx
      .updateTable('sellers')
      .set({ profile: JSON.stringify(profile) })
      .where('seller', '=', seller)
      .execute()
    await recordAct(tx, actor, { action: 'capabilities.changed', before: before.profile, after: profile })
  })
}

/** Returns a seller's approval rules, and whether its profile lets them decide. */
export async function readApprovalRules(
  { sql }: Pick<Database, 'sql'>,
  seller: string,
): Promise<{ rules: ApprovalRule[]; in_force: boolean }> {
  const row = await sql.selectFrom('sellers').select(['profile', 'approval_rules']).where('seller', '=', seller).executeTakeFirstOrThrow()
  return { rules: row.approval_rules, in_force: row.profile.approval === 'rules' }
}

/** Replaces all rules. CONFLICT if the sender has not seen the stored ones. */
export async function saveApprovalRules({ sql }: Database, actor: Actor, rules: readonly ApprovalRule[], isSeen?: IsSeen): Promise<void> {
  const seller = actor.entity
  await sql.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('sellers')
      .select('approval_rules')
      .where('seller', '=', seller)
      .forUpdate()
      .executeTakeFirstOrThrow()
    refuseUnseen(isSeen, 'list of rules', before.approval_rules, rules)
    await tx
      .updateTable('sellers')
      .set({ approval_rules: JSON.stringify(rules) })
      .where('seller', '=', seller)
      .execute()
    await deleteOldRuleActivity(tx, seller)
    await recordAct(tx, actor, { action: 'approval_rules.changed', before: byId(before.approval_rules), after: byId(rules) })
  })
}

/** Returns rules by id, with their order, since the order also affects decisions. */
function byId(rules: readonly ApprovalRule[]): object {
  return { order: rules.map(({ id }) => id), ...Object.fromEntries(rules.map(({ id, ...rule }) => [`rule:${id}`, rule])) }
}

/** Sellers known to use the API. The flag is never reset, so one write is enough. */
const remembered = new WeakMap<object, Set<string>>()

/** Records that a seller publishes or decides over the API, since that counts for its level. */
export async function recordApiUse({ pool, sql }: Pick<Database, 'pool' | 'sql'>, seller: string): Promise<void> {
  const shared = sharedPool(pool)
  const known = remembered.get(shared) ?? new Set()
  remembered.set(shared, known)
  if (known.has(seller)) return
  await sql.updateTable('sellers').set({ uses_api: true }).where('seller', '=', seller).where('uses_api', '=', false).execute()
  known.add(seller)
}
