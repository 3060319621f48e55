import { z } from 'zod'
import { dropAbsentNulls } from '../../src/contract/absentNulls.ts'
import { BYTES, type ByteStream, type Endpoint, type Named, NO_BODY } from '../../src/contract/endpoints/endpoint.ts'
import { type Fault, faultsOf } from '../../src/contract/errorEnvelope.ts'
import { type UnknownMember, withLikelySlips } from '../../src/contract/unknownMembers.ts'
import type { CredentialSide } from '../../src/contract/vocabulary/access.ts'
import { inBodyOrder } from '../../src/domain/bodyOrder.ts'
import { Refusal, refuse, refuseIfAny } from '../../src/domain/refusal.ts'
import { strictJson } from '../../src/domain/strictJson.ts'
import { scopedTo } from '../signIn/scopedTo.ts'
import type { Call, Caller, CheckedRequest } from './call.ts'
import type { Deps, Handler, OperatorHandler } from './handler.ts'
import type { Reply } from './reply.ts'
import { refusalWithWarnings, unknownIn, withWarnings } from './unknownMembers.ts'

/** An endpoint bound to its handler. */
export interface Route extends Checks {
  readonly endpoint: Named<Endpoint>
  /** Checks a query's parameters; the returned function reads and checks the request's body and answers the request. */
  readonly bindQuery: (query: unknown) => (deps: Deps, request: CheckedRequest) => Promise<Reply>
}

export interface Checks {
  /** Returns the other faults of a body that its schema refuses, so that one reply names every fault. */
  readonly review?: (deps: Deps, caller: Caller<CredentialSide>, sent: unknown) => Promise<Fault[]>
  /**
   * Fails with NOT_FOUND if the resource in the path is not the caller's. Called when a body is refused, since only a handler checks this
   * itself, and the faults of a body must disclose nothing about a stranger's order.
   */
  readonly owned?: (deps: Deps, caller: Caller, params: Call['params']) => Promise<unknown>
}

/** Binds an endpoint to the handler that accepts the output of its schemas. */
export function route<Body extends z.ZodType, Query extends z.ZodObject>(
  endpoint: Named<Endpoint<Body, Query>>,
  handler: Handler<z.output<Body>, z.output<Query>> | OperatorHandler<z.output<Body>, z.output<Query>>,
  checks: Checks = {},
): Route {
  const bindQuery = (parameters: unknown) => {
    const query = z.safeParse(endpoint.query, parameters)
    if (!query.success) return refuse(faultsOf(endpoint.query, query.error.issues, parameters))
    return async (deps: Deps, { raw, stream, trace, caller, params, headers, disconnectSignal }: CheckedRequest): Promise<Reply> => {
      const own = inTrace(scopedTo(deps, caller.entity), trace)
      const sent = asPerson(endpoint, caller, sentBody(endpoint, raw, stream))
      let unknown: UnknownMember[] = []
      try {
        checkTenant(endpoint, sent, caller.entity)
        const { faults, warnings } = unknownIn(endpoint, sent)
        unknown = warnings
        const body = z.safeParse(endpoint.body, sent)
        if (!body.success) {
          const further = (await checks.review?.(own, caller, sent)) ?? []
          return refuse([...withLikelySlips(faultsOf(endpoint.body, body.error.issues, sent), warnings), ...faults, ...further])
        }
        refuseIfAny(faults)
        // The cast is safe, since authorize has checked that the caller is of the endpoint's side.
        const serve = handler as Handler<z.output<Body>, z.output<Query>, CredentialSide>
        // This lists the members, since destructuring and spreading them would cost some hundredths of a single order's read.
        const call = { caller, params, headers, disconnectSignal, query: query.data, body: body.data, raw: raw ?? NOTHING, unknown }
        const reply = await serve(own, call)
        return withWarnings(reply, unknown)
      } catch (error) {
        throw refusalWithWarnings(inBodyOrder(error, sent), unknown)
      }
    }
  }
  return { endpoint, bindQuery, ...checks }
}

function inTrace(deps: Deps, trace: string | undefined): Deps {
  return trace === undefined ? deps : { ...deps, orders: deps.orders.inTrace(trace) }
}

/** Returns the value to check as the body: parsed JSON without nulls that mean absence, an empty object for an omitted optional body, or the bytes still to come. */
function sentBody({ body, shownBody, bodyLimit }: Endpoint, raw: Buffer | undefined, stream: ByteStream | undefined): unknown {
  if (body === NO_BODY) return undefined
  if (body === BYTES) return stream
  if (raw === undefined) return {}
  const sent = strictJson(raw, bodyLimit === undefined ? MAX_VALUES : undefined)
  if (raw.includes('null')) dropAbsentNulls(shownBody ?? body, sent)
  return sent
}

/** Makes a signed-in person act under its own name, whatever the body says, since decision records name who decided. */
function asPerson({ body }: Endpoint, { session }: Caller<CredentialSide>, sent: unknown): unknown {
  const hasActor = body instanceof z.ZodObject && Object.hasOwn(body.shape, 'actor')
  if (session === undefined || !hasActor || typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent
  return { ...sent, actor: session.person }
}

/** The most JSON values in a body that is not a publish. */
const MAX_VALUES = 100_000

const NOTHING = Buffer.alloc(0)

/** Refuses a body that names another tenant, before it checks or creates anything else (contract, Acting tenant). */
function checkTenant({ tenant }: Endpoint, sent: unknown, entity: string): void {
  if (tenant === undefined || typeof sent !== 'object' || sent === null || !Object.hasOwn(sent, tenant)) return
  const named = (sent as Record<string, unknown>)[tenant]
  if (named === entity) return
  throw new Refusal('TENANT_MISMATCH', `${tenant} names another tenant than the credential.`, { field: tenant })
}
