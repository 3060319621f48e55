import type { z } from 'zod'
import { type Fault, faultsOf } from '../src/contract/errorEnvelope.ts'
import { inBodyOrder } from '../src/domain/bodyOrder.ts'
import { Refusal, refuseIfAny } from '../src/domain/refusal.ts'
import { strictJson, valuesIn } from '../src/domain/strictJson.ts'
import type { Call, Caller, Deps, Endpoint, Handler, Reply } from './endpoint.ts'
import { inSightOf } from './inSightOf.ts'
import { unknownIn, withWarnings } from './unknownMembers.ts'

/** A request whose credential, path and query are checked, and whose body has arrived; `raw` is undefined where there is none. */
export type Ask = Omit<Call, 'body' | 'raw' | 'unknown'> & { readonly raw: Buffer | undefined }

/** Reads and checks the body of a request, before it first waits for anything, and has its endpoint answer it. */
export async function answer(row: Endpoint, deps: Deps, { raw, ...ask }: Ask): Promise<Reply> {
  const own = inSightOf(deps, ask.caller.entity)
  const sent = raw === undefined ? {} : strictJson(raw, row.bodyLimit === undefined ? MOST_VALUES : undefined)
  try {
    checkTenant(row, sent, ask.caller.entity)
    const { faults, warnings: unknown } = unknownIn(row, sent)
    const body = await checkedBody(row, own, ask.caller, sent, faults)
    const handler = row.handler as unknown as Handler
    return withWarnings(await handler(own, { ...ask, body, raw: raw ?? NOTHING, unknown }), unknown)
  } catch (error) {
    throw inBodyOrder(error, sent)
  }
}

/** Of a body that is not a publish. */
const MOST_VALUES = 100_000

/** Whether reading a body would take longer than the request loop may be held up. */
export function takesLong(raw: Buffer): boolean {
  return raw.length > 64 * 1024 || (raw.length > 4_000 && valuesIn(raw) > 4_000)
}

export const NOTHING = Buffer.alloc(0)

/** A body that names another tenant is refused for that, whatever else it says; nothing is created (spec, Authentication 3). */
function checkTenant({ tenant }: Endpoint, sent: unknown, entity: string): void {
  if (tenant === undefined || typeof sent !== 'object' || sent === null || !Object.hasOwn(sent, tenant)) return
  const named = (sent as Record<string, unknown>)[tenant]
  if (named === entity) return
  throw new Refusal('TENANT_MISMATCH', `${tenant} names another tenant than the credential.`, { field: tenant })
}

async function checkedBody(
  { body, review }: Endpoint,
  deps: Deps,
  caller: Caller,
  sent: unknown,
  unknown: readonly Fault[],
): Promise<unknown> {
  const result = body?.safeParse(sent)
  if (result === undefined) return undefined
  if (!result.success)
    refuseIfAny([...faultsOf(body as z.ZodType, result.error.issues, sent), ...unknown, ...((await review?.(deps, caller, sent)) ?? [])])
  refuseIfAny(unknown)
  return result.data
}
