import type pg from 'pg'
import { statement } from '../connection/statement.ts'
import type { PreviousSecret } from '../delivery/deliveryTables.ts'
import { placeOfEndpointSecret } from '../delivery/endpointSecrets.ts'
import { fingerprintOf, type Keys, openUnder, sealUnder } from './secretBox.ts'
import { placeOfTenantSecret } from './secrets.ts'

/** A sealed secret, identified by its place. */
export interface SealedSecret {
  tenant: string
  /** `webhook whe_…` or `secret <name>`. */
  what: string
}

/** The result of checking every sealed secret. */
export interface SealedSecrets {
  /** How many are sealed under the first key, and under another known key. */
  current: number
  previous: number
  /** Secrets that no known key opens; they must be replaced. */
  unreadable: SealedSecret[]
}

/**
 * Checks every stored secret, and with `reseal` seals under the first key each that is sealed under another. Processes may be running: a
 * secret that one of them replaces in the meantime is left alone.
 */
export async function lookAtSecrets(pool: pg.Pool, keys: Keys, { reseal }: { reseal: boolean }): Promise<SealedSecrets> {
  const found: SealedSecrets = { current: 0, previous: 0, unreadable: [] }
  const look = (sealed: Buffer, place: string, named: SealedSecret): Buffer => {
    const opened = openUnder(keys, sealed, place)
    if (opened === undefined) found.unreadable.push(named)
    else if (opened.key === 0) found.current += 1
    else found.previous += 1
    return opened !== undefined && opened.key > 0 ? sealUnder(keys, opened.secret, place) : sealed
  }

  const named = await pool.query<{ tenant: string; name: string; sealed: Buffer }>(
    'select tenant, name, sealed from tenant_secrets order by 1, 2',
  )
  for (const { tenant, name, sealed } of named.rows) {
    const next = look(sealed, placeOfTenantSecret(tenant, name), { tenant, what: `secret ${name}` })
    if (reseal && next !== sealed) await pool.query(RESEAL_SECRET.bind({ tenant, name, sealed, next }))
  }

  const endpoints = await pool.query<{ tenant: string; endpoint_id: string; secret: Buffer; previous_secrets: PreviousSecret[] }>(
    `select tenant, endpoint_id, secret, previous_secrets from webhook_endpoints where status <> 'deleted' order by 1, 2`,
  )
  for (const { tenant, endpoint_id, secret, previous_secrets } of endpoints.rows) {
    const place = placeOfEndpointSecret(endpoint_id)
    const next = look(secret, place, { tenant, what: `webhook ${endpoint_id}` })
    const valid = previous_secrets.filter(({ until }) => Date.parse(until) > Date.now())
    const before = valid.map(({ sealed, until }) => {
      const again = look(Buffer.from(sealed, 'base64'), place, { tenant, what: `webhook ${endpoint_id}, replaced, valid until ${until}` })
      return { sealed: again.toString('base64'), until }
    })
    if (reseal)
      await pool.query(
        RESEAL_ENDPOINT.bind({
          endpoint_id,
          secret,
          next,
          previous: JSON.stringify(previous_secrets),
          next_previous: JSON.stringify(before),
        }),
      )
  }
  return found
}

/** Forgets all keys except the first. After this, a start needs only the first key. */
export async function deleteOtherKeys(pool: pg.Pool, [key]: Keys): Promise<void> {
  const fingerprint = fingerprintOf(key)
  await pool.query(KEEP_KEY.bind({ fingerprint }))
  await pool.query(FORGET_KEYS.bind({ fingerprint }))
}

/** Replaces a tenant's secret, unless it has been replaced since it was read. */
const RESEAL_SECRET = statement(
  'reseal-tenant-secret',
  ['tenant', 'name', 'sealed', 'next'],
  'update tenant_secrets set sealed = :next where tenant = :tenant and name = :name and sealed = :sealed',
)

/** Replaces the secrets of an endpoint, unless they have been replaced since they were read, or are the same. */
const RESEAL_ENDPOINT = statement(
  'reseal-endpoint-secrets',
  ['endpoint_id', 'secret', 'next', 'previous', 'next_previous'],
  `update webhook_endpoints set secret = :next, previous_secrets = :next_previous
    where endpoint_id = :endpoint_id and secret = :secret and previous_secrets = :previous::jsonb
      and (secret, previous_secrets) <> (:next, :next_previous::jsonb)`,
)

/** Writes the fingerprint of a key. */
const KEEP_KEY = statement(
  'keep-secrets-key',
  ['fingerprint'],
  'insert into secrets_key (fingerprint) values (:fingerprint) on conflict do nothing',
)

/** Deletes the fingerprints of all other keys. */
const FORGET_KEYS = statement('forget-secrets-keys', ['fingerprint'], 'delete from secrets_key where fingerprint <> :fingerprint')
