import type { ListQuery } from '../../../src/contract/publishedReads.ts'
import { WEBHOOK_TEST } from '../../../src/contract/vocabulary.ts'
import type {
  ChangeEndpoint,
  CreateEndpoint,
  DeliveryListQuery,
  EndpointCreated,
  RangeRedelivered,
  RedeliverRange,
  RotateSecret,
  SecretRotated,
  TestEndpoint,
  WebhookEndpoint,
} from '../../../src/contract/webhook.ts'
import { readableEvents } from '../../../src/domain/events/readableEvents.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { plainTargetUrl, targetUrlFault } from '../../../src/domain/targets/targetUrl.ts'
import { changeEndpoint, enableEndpoint } from '../../../src/store/delivery/changeEndpoint.ts'
import { listDeliveries, redeliver, redeliverRange, sendTest } from '../../../src/store/delivery/deliveryLog.ts'
import { authorityOf } from '../../../src/store/delivery/eventAuthority.ts'
import { addEndpoint, deleteEndpoint, findEndpoint, listEndpoints, rotateSecret } from '../../../src/store/delivery/webhookEndpoints.ts'
import { actorOf, type Call, type Caller } from '../../http/call.ts'
import type { Deps, Handler } from '../../http/handler.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { accepted, ok } from '../../http/reply.ts'
import { requireAuthority } from '../../signIn/authority.ts'
import { exampleOf } from '../sandbox/exampleEvents.ts'
import { isSandbox } from '../sandbox/mode.ts'

/** Webhook endpoints, for both sides, and the log of deliveries to them. */

export const postEndpoint: Handler<CreateEndpoint> = async ({ db, secrets, allowLoopbackTargets }, { caller, body }) => {
  const url = checkedUrl(body.url, allowLoopbackTargets)
  const authority = requireAuthority(caller, body.events)
  const { endpoint, secret } = await addEndpoint(db, secrets, actorOf(caller), authority, { ...body, url })
  return { status: 201, body: { ...endpoint, secret } satisfies EndpointCreated }
}

/** Returns a URL in its plain form. INVALID_INPUT if the platform does not call it. */
function checkedUrl(sent: string, allowLoopback: boolean): string {
  const url = plainTargetUrl(sent)
  const fault = targetUrlFault(url, allowLoopback)
  if (fault !== undefined) throw new Refusal('INVALID_INPUT', `url ${fault}.`, { field: 'url' })
  return url
}

export const patchEndpoint: Handler<ChangeEndpoint> = async ({ db, secrets, allowLoopbackTargets }, { caller, params, body }) => {
  const change = { ...body, ...(body.url === undefined ? {} : { url: checkedUrl(body.url, allowLoopbackTargets) }) }
  const authority = requireAuthority(caller, body.events)
  const endpoint = await changeEndpoint(db, secrets, actorOf(caller), authority, params.endpoint_id ?? '', change)
  if (endpoint === undefined) throw noSuchEndpoint()
  return ok(endpoint)
}

export const getEndpoints: Handler<undefined, ListQuery> = async (deps, { caller, query }) => {
  const page: Page = { bound: ['webhooks', caller.entity], ...query }
  const [after] = positionOf(deps, page) ?? []
  const rows = await listEndpoints(deps.db, deps.secrets, caller.entity, after, page.limit + 1)
  return ok(pageOf(deps, page, rows, ({ endpoint_id }) => [endpoint_id]))
}

export const getEndpoint: Handler = async (deps, call) => ok(await ownEndpoint(deps, call.caller, call.params))

export const deleteOwnEndpoint: Handler = async ({ db }, { caller, params }) => {
  if (!(await deleteEndpoint(db, actorOf(caller), params.endpoint_id ?? ''))) throw noSuchEndpoint()
  return { status: 204 }
}

export const postEnable: Handler = async ({ db, secrets }, { caller, params }) => {
  const endpoint = await enableEndpoint(db, secrets, actorOf(caller), authorityOf(caller), params.endpoint_id ?? '')
  if (endpoint === undefined) throw noSuchEndpoint()
  return ok(endpoint)
}

export const postRotateSecret: Handler<RotateSecret> = async ({ db, secrets }, { caller, params, body }) => {
  const endpoint_id = params.endpoint_id ?? ''
  const rotated = await rotateSecret(db, secrets, actorOf(caller), endpoint_id, body.expire_previous ?? 'in_24_hours')
  if (rotated === undefined) throw noSuchEndpoint()
  const { secret, previousUntil } = rotated
  return ok({ endpoint_id, secret, previous_secret_valid_until: previousUntil } satisfies SecretRotated)
}

export const postTest: Handler<TestEndpoint> = async (deps, { caller, params, body }) => {
  const { event_type } = body
  if (event_type !== WEBHOOK_TEST && !isSandbox(deps))
    throw new Refusal('INVALID_INPUT', `event_type must be ${WEBHOOK_TEST}: examples of other types are posted in the sandbox only.`, {
      field: 'event_type',
    })
  const { endpoint_id } = activeOnly(await ownEndpoint(deps, caller, params))
  const example = event_type === WEBHOOK_TEST ? undefined : exampleOf(event_type)
  return accepted(await sendTest(deps.db, caller.entity, endpoint_id, example))
}

export const getDeliveries: Handler<undefined, DeliveryListQuery> = async (deps, call) => {
  const { endpoint_id } = await ownEndpoint(deps, call.caller, call.params)
  const { cursor, limit, ...filter } = call.query
  const page: Page = { bound: ['deliveries', endpoint_id, JSON.stringify(filter)], cursor, limit }
  const [before] = positionOf(deps, page) ?? []
  const rows = await listDeliveries(deps.db, endpoint_id, filter, readableEvents(call.caller.scopes), before, limit + 1)
  return ok(pageOf(deps, page, rows, ({ delivery_id }) => [delivery_id]))
}

export const postRedeliver: Handler = async (deps, call) => {
  const endpoint = await ownEndpoint(deps, call.caller, call.params)
  const { delivery_id = '' } = call.params
  const again = await redeliver(deps.db, activeOnly(endpoint).endpoint_id, delivery_id, readableEvents(call.caller.scopes))
  if (again === undefined) throw noSuchDelivery()
  return accepted(again)
}

export const postRedeliverRange: Handler<RedeliverRange> = async (deps, call) => {
  const { endpoint_id } = activeOnly(await ownEndpoint(deps, call.caller, call.params))
  const redelivered = await redeliverRange(deps.db, endpoint_id, call.body, readableEvents(call.caller.scopes))
  return accepted({ endpoint_id, redelivered } satisfies RangeRedelivered)
}

export async function ownEndpoint({ db, secrets }: Deps, caller: Caller, params: Call['params']): Promise<WebhookEndpoint> {
  const { endpoint_id = '' } = params
  const endpoint = await findEndpoint(db, secrets, caller.entity, endpoint_id)
  if (endpoint === undefined) throw noSuchEndpoint()
  return endpoint
}

export function activeOnly<Endpoint extends Pick<WebhookEndpoint, 'status'>>(endpoint: Endpoint): Endpoint {
  const { status } = endpoint
  if (status !== 'active') throw new Refusal('INVALID_STATE', 'The endpoint is disabled: enable it first.', { status })
  return endpoint
}

export function noSuchDelivery(): Refusal {
  return new Refusal('NOT_FOUND', 'There is no such delivery.')
}

export function noSuchEndpoint(): Refusal {
  return new Refusal('NOT_FOUND', 'There is no such endpoint.')
}
