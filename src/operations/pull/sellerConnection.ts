import type { SellerProfile } from '../../contract/seller.ts'
import type { NoConnection } from '../../contract/vocabulary/stuck.ts'
import type { Database } from '../../store/connection/database.ts'
import { readSecret, type SecretBox } from '../../store/tenants/secrets.ts'
import { type SellerConnection, signingSecret } from './callSeller.ts'

export interface ConnectionDeps {
  db: Database
  secrets: SecretBox
}

/** Returns how to call a seller for a feature that its current profile declares, or why that is not possible (choices, Capability profile). */
export async function sellerConnection(
  { db, secrets }: ConnectionDeps,
  seller: string,
  profile: SellerProfile,
  declares: (profile: SellerProfile) => boolean,
): Promise<SellerConnection | NoConnection> {
  const { pull } = profile.transports
  if (pull === undefined || !declares(profile)) return 'pull_not_declared'
  // The caller may run as the buyer of a hold, so the read is widened to the seller.
  const secret = await readSecret(db.withCounterparty([seller]), secrets, seller, pull.secret_ref)
  return secret === undefined ? 'secret_missing' : { base_url: pull.base_url, secret: signingSecret(secret) }
}
