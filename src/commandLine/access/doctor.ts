import type { Client, Credential } from '../../../client/src/index.ts'
import { RefusedFault } from '../exits.ts'
import { writeJson, writeTable } from '../output.ts'
import type { Session } from '../session.ts'

interface Finding {
  check: string
  verdict: 'ok' | 'warning' | 'failed'
  said: string
}

/** Clocks that differ more make signatures of webhooks invalid: receivers allow five minutes. */
const SKEW_MS = 60_000
const EXPIRES_SOON_MS = 7 * 24 * 60 * 60 * 1_000

/** Looks at what a newcomer has to get right. Fails with RefusedFault if something does not work, after all has been said. */
export async function doctor(session: Session): Promise<void> {
  const client = await session.client()
  const { url } = await session.access()
  const asked = Date.now()
  const credential = await client.credential()
  const findings: Finding[] = [
    { check: 'address', verdict: 'ok', said: `${url} answers in ${Date.now() - asked} ms` },
    ofToken(credential),
    ofScopes(credential),
    ofClock(credential, asked),
    ...(credential.side === 'operator' ? [] : await ofEndpoints(client, credential)),
    ...(credential.side === 'seller' ? [await ofLevel(client)] : []),
  ]
  if (session.json) await writeJson({ findings })
  else
    await writeTable(
      [
        { head: 'check', of: ({ check }) => check },
        { head: 'verdict', of: ({ verdict }) => verdict },
        { head: '', of: ({ said }) => said },
      ],
      findings,
    )
  const failed = findings.filter(({ verdict }) => verdict === 'failed')
  if (failed.length > 0) throw new RefusedFault(`${failed.length} of ${findings.length} checks failed.`)
}

function ofToken({ entity, side, expires_at, mode }: Credential): Finding {
  const left = expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at) - Date.now()
  const until = expires_at === null ? 'does not expire' : `expires at ${expires_at}`
  return { check: 'token', verdict: left < EXPIRES_SOON_MS ? 'warning' : 'ok', said: `of the ${side} ${entity}, ${mode}, ${until}` }
}

/** What a side cannot work without. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  buyer: ['catalog:read', 'orders:read', 'orders:write'],
  seller: ['catalog:read', 'catalog:write', 'orders:read', 'orders:approve'],
  operator: ['ops:read'],
}

function ofScopes({ side, scopes }: Credential): Finding {
  const missing = (NEEDED[side] ?? []).filter((scope) => !(scopes as readonly string[]).includes(scope))
  return missing.length === 0
    ? { check: 'scopes', verdict: 'ok', said: scopes.join(', ') }
    : {
        check: 'scopes',
        verdict: 'warning',
        said: `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing: it has ${scopes.join(', ')}`,
      }
}

function ofClock({ server_time }: Credential, asked: number): Finding {
  const skew = Math.round(Date.parse(server_time) - (asked + Date.now()) / 2)
  const said = `that of this machine ${skew > 0 ? 'is behind' : 'is ahead'} by ${(Math.abs(skew) / 1_000).toFixed(1)} s`
  return { check: 'clock', verdict: Math.abs(skew) > SKEW_MS ? 'failed' : 'ok', said }
}

async function ofEndpoints(client: Client, { scopes }: Credential): Promise<Finding[]> {
  if (!(scopes as readonly string[]).includes('webhooks:write')) return []
  const { items } = (await client.operations.listWebhookEndpoints({ query: { limit: 100 } })).body
  if (items.length === 0) return [{ check: 'webhooks', verdict: 'ok', said: 'no endpoint is registered' }]
  return items.map(({ endpoint_id, url, status, disabled_reason, failing_since, unreadable_secrets = [] }) => {
    const check = 'webhooks'
    const which = `${endpoint_id} ${url}`
    if (status !== 'active') return { check, verdict: 'failed', said: `${which} is disabled: ${disabled_reason ?? 'no reason is known'}` }
    if (unreadable_secrets.length > 0) return { check, verdict: 'failed', said: `${which} has a secret that cannot be used: rotate it` }
    if (failing_since !== undefined) return { check, verdict: 'failed', said: `${which} fails since ${failing_since}` }
    return { check, verdict: 'ok', said: `${which} is active` }
  })
}

async function ofLevel(client: Client): Promise<Finding> {
  const { conformance_level, next_level } = (await client.operations.getCapabilities()).body
  const said = next_level === null ? 'the highest' : `for level ${next_level.level}: ${next_level.missing.join(', ') || 'nothing more'}`
  return { check: `level ${conformance_level}`, verdict: 'ok', said }
}
