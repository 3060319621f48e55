import { randomBytes } from 'node:crypto'
import type { UnreadableSecret } from '../../contract/vocabulary.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Tx } from '../connection/database.ts'
import type { SecretBox } from '../tenants/secrets.ts'
import type { PreviousSecret } from './deliveryTables.ts'

/** How long a replaced secret continues to sign, while receivers move over. */
const ROTATION_MS = 24 * 60 * 60 * 1_000
/** The most previous secrets, since each adds a signature to every request. */
const MAX_PREVIOUS = 5

/** A secret in clear text, for the reply; it is sealed before it is stored. */
export function newEndpointSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

export function sealEndpointSecret(box: SecretBox, endpointId: string, secret: string): Buffer {
  return box.seal(secret, placeOfEndpointSecret(endpointId))
}

/**
 * Replaces the secret of a tenant's endpoint; undefined if it has no such endpoint. The previous secret signs for another day, and each
 * before that until its own end; or none of them from now on. INVALID_INPUT if too many still sign: ending one early would break the promise to its receiver.
 */
export async function rotateEndpointSecret(
  tx: Tx,
  box: SecretBox,
  tenant: string,
  endpointId: string,
  expires: 'now' | 'in_24_hours',
): Promise<{ secret: string; previousUntil: string } | undefined> {
  const row = await tx
    .selectFrom('webhook_endpoints')
    .select(['secret', 'previous_secrets'])
    .where('tenant', '=', tenant)
    .where('endpoint_id', '=', endpointId)
    .where('status', '!=', 'deleted')
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const now = Date.now()
  const isLost = expires === 'now'
  const valid = isLost ? [] : row.previous_secrets.filter(({ until }) => Date.parse(until) > now)
  const [oldest] = valid
  if (valid.length >= MAX_PREVIOUS && oldest !== undefined)
    throw new Refusal(
      'INVALID_INPUT',
      `${MAX_PREVIOUS} earlier secrets of this endpoint are still valid; the next can be replaced from ${oldest.until} on.`,
      { most: MAX_PREVIOUS, possible_from: oldest.until },
    )
  const secret = newEndpointSecret()
  const previousUntil = new Date(isLost ? now : now + ROTATION_MS).toISOString()
  const previous = isLost ? [] : [...valid, { sealed: row.secret.toString('base64'), until: previousUntil }]
  await tx
    .updateTable('webhook_endpoints')
    .set({ secret: sealEndpointSecret(box, endpointId, secret), previous_secrets: JSON.stringify(previous) })
    .where('endpoint_id', '=', endpointId)
    .execute()
  return { secret, previousUntil }
}

/** Returns the secrets that sign an endpoint's requests now, newest first, and which secrets should sign but cannot be opened. */
export function openEndpointSecrets(
  box: SecretBox,
  endpointId: string,
  { secret, previous_secrets }: { secret: Buffer; previous_secrets: readonly PreviousSecret[] },
): { secrets: string[]; unreadable: UnreadableSecret[] } {
  const now = Date.now()
  const valid = previous_secrets.filter(({ until }) => Date.parse(until) > now).reverse()
  const opened = [secret, ...valid.map(({ sealed }) => Buffer.from(sealed, 'base64'))].map((sealed) =>
    box.open(sealed, placeOfEndpointSecret(endpointId)),
  )
  return {
    secrets: opened.filter((one) => one !== undefined),
    unreadable: opened.flatMap((one, index) => (one === undefined ? [index === 0 ? ('current' as const) : ('previous' as const)] : [])),
  }
}

/** Returns the place of the secret, which it was sealed for. */
export function placeOfEndpointSecret(endpointId: string): string {
  return JSON.stringify(['webhook_endpoints', endpointId])
}
