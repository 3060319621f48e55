import type pg from 'pg'
import { type PreviousSecret, placeOfEndpointSecret } from '../delivery/endpointSecrets.ts'
import { fingerprintOf, type Keys, openUnder, sealUnder } from './secretBox.ts'
import { placeOfTenantSecret } from './secrets.ts'

/** A secret that is kept sealed, by where it is. */
export interface SealedSecret {
  tenant: string
  /** `webhook whe_…` or `secret <name>`. */
  what: string
}

/** What a look at every sealed secret found. */
export interface SealedSecrets {
  /** Sealed under the first key, and under another that is known. */
  current: number
  previous: number
  /** These must be made again: no key that is known opens them. */
  unreadable: SealedSecret[]
}

/**
 * Looks at every secret that is kept, and with `reseal` seals under the first key what is sealed under another. Processes may be at work: what one of
 * them replaces meanwhile is left as it is.
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
    if (reseal && next !== sealed)
      await pool.query('update tenant_secrets set sealed = $4 where tenant = $1 and name = $2 and sealed = $3', [
        tenant,
        name,
        sealed,
        next,
      ])
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
        `update webhook_endpoints set secret = $3, previous_secrets = $5
         where endpoint_id = $1 and secret = $2 and previous_secrets = $4::jsonb and (secret, previous_secrets) <> ($3, $5::jsonb)`,
        [endpoint_id, secret, next, JSON.stringify(previous_secrets), JSON.stringify(before)],
      )
  }
  return found
}

/** From now on a start needs the first key alone. */
export async function forgetOtherKeys(pool: pg.Pool, [key]: Keys): Promise<void> {
  await pool.query('insert into secrets_key (fingerprint) values ($1) on conflict do nothing', [fingerprintOf(key)])
  await pool.query('delete from secrets_key where fingerprint <> $1', [fingerprintOf(key)])
}
