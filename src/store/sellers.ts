import type { SellerProfile } from '../contract/seller.ts'
import type { Database, Tx } from './database.ts'

/** What a seller is taken to be until it says otherwise: catalog orders, decided over the API within a business day, no lead time. */
export const DEFAULT_PROFILE: SellerProfile = {
  modes: { catalog: true, proposal: false, document: false },
  approval: 'api',
  sla: { max_decision_latency_minutes: 1440, min_lead_minutes: 0 },
  realtime_availability: false,
}

export async function makeSeller(tx: Tx, seller: string): Promise<void> {
  await tx
    .insertInto('sellers')
    .values({ seller, taxonomy_version: null, profile: JSON.stringify(DEFAULT_PROFILE) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Names a tenant for people; its entity stays its handle. */
export async function nameTenant({ sql }: Database, entity: string, name: string): Promise<void> {
  await sql.updateTable('tenants').set({ name }).where('entity', '=', entity).execute()
}
