import type { SellerProfile } from '../contract/seller.ts'
import type { Database } from '../store/connection/database.ts'
import { readSecret, type SecretBox } from '../store/tenants/secrets.ts'
import { type SellerConnection, signingSecret } from './callSeller.ts'

export interface ConnectionDeps {
  db: Database
  secrets: SecretBox
}

/** Why there is no connection: nothing is called then. */
export type NoConnection = 'pull_not_declared' | 'secret_missing'

/** How to call a seller for something that its profile of this moment declares, or why not (choices, Capability profile). */
export async function sellerConnection(
  { db, secrets }: ConnectionDeps,
  seller: string,
  profile: SellerProfile,
  declares: (profile: SellerProfile) => boolean,
): Promise<SellerConnection | NoConnection> {
  const { pull } = profile.transports
  if (pull === undefined || !declares(profile)) return 'pull_not_declared'
  // In a buyer's name as well: it is the buyer's hold that the seller is asked for.
  const secret = await readSecret(db.dealingWith([seller]), secrets, seller, pull.secret_ref)
  return secret === undefined ? 'secret_missing' : { base_url: pull.base_url, secret: signingSecret(secret) }
}
