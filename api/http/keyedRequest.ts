import type { Endpoint, Named } from '../../src/contract/endpoints/endpoint.ts'
import { overLimit } from '../../src/domain/overLimit.ts'
import { claimKey, KEPT_SECONDS, KEYS_PER_TENANT, type KeyPlace, resolveKey } from '../../src/store/requests/requestKeys.ts'
import type { Call } from './call.ts'
import type { Handler } from './handler.ts'
import { repeatedReply, requestKey } from './requestKey.ts'
import { withWarnings } from './unknownMembers.ts'

/**
 * Returns a handler that carries out requests with the same Idempotency-Key, path and bytes once: a repeat gets the first reply (choices,
 * Idempotency-Key). A refusal uses up no key.
 */
export function keyed<Body, Query>({ name, replies }: Pick<Named<Endpoint>, 'name' | 'replies'>, handler: Handler<Body, Query>) {
  const [status] = Object.keys(replies).map(Number)
  const once: Handler<Body, Query> = async (deps, call) => {
    const key = requestKey(withPath(call))
    if (key === undefined) return handler(deps, call)
    const place: KeyPlace = { tenant: call.caller.entity, operation: name }
    const used = await claimKey(deps.db, deps.secrets, place, key)
    if (used === 'too many') throw tooManyKeys()
    if (used !== undefined) return repeatedReply(status ?? 200, used)
    try {
      const reply = await handler(deps, call)
      await resolveKey(deps.db, deps.secrets, place, key.key, JSON.stringify(withWarnings(reply, call.unknown).body))
      return reply
    } catch (error) {
      await resolveKey(deps.db, deps.secrets, place, key.key, undefined)
      throw error
    }
  }
  return once
}

/** Returns the call with its path before its bytes: the same bytes at another path are another request. */
function withPath(call: Pick<Call, 'headers' | 'params' | 'raw'>): Pick<Call, 'headers' | 'raw'> {
  return { headers: call.headers, raw: Buffer.concat([Buffer.from(`${JSON.stringify(call.params)}\n`), call.raw]) }
}

function tooManyKeys() {
  const message = `A tenant may use ${KEYS_PER_TENANT} Idempotency-Keys in two days.`
  return overLimit({ limit: 'idempotency keys', most: KEYS_PER_TENANT, window_s: KEPT_SECONDS }, message, 3_600)
}
