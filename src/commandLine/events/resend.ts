import type { Operations } from '../../../client/src/index.ts'
import { UsageFault } from '../exits.ts'
import { write, writeJson } from '../output.ts'
import type { Session } from '../session.ts'

export async function resend(session: Session, options: ResendOptions): Promise<void> {
  const { delivery: delivery_id, from, to, status, skipDelivered = false } = options
  const { operations } = await session.client()
  if (delivery_id === undefined && from === undefined)
    throw new UsageFault('Name a delivery by --delivery, or the begin of a period by --from.')
  const endpoint_id = await theEndpoint(operations, options.endpoint)
  if (delivery_id !== undefined) {
    const { body } = await operations.redeliver({ path: { endpoint_id, delivery_id } })
    return session.json ? writeJson(body) : write(`${body.delivery_id} sends ${body.event_id} again.\n`)
  }
  const range = { from: from ?? '', ...(to !== undefined && { to }), status, skip_delivered: skipDelivered }
  const { body } = await operations.redeliverRange({ path: { endpoint_id }, body: range })
  return session.json ? writeJson(body) : write(`${body.redelivered} deliveries of ${endpoint_id} are sent again.\n`)
}

/** Returns the endpoint that is named, or the only one that there is. */
export async function theEndpoint(operations: Operations, named: string | undefined): Promise<string> {
  if (named !== undefined) return named
  const { items } = (await operations.listWebhookEndpoints({ query: { limit: 100 } })).body
  const [only, ...others] = items
  if (only === undefined) throw new UsageFault('There is no webhook endpoint.')
  if (others.length > 0)
    throw new UsageFault(`Name one of the endpoints by --endpoint: ${items.map(({ endpoint_id }) => endpoint_id).join(', ')}.`)
  return only.endpoint_id
}

export interface ResendOptions {
  readonly endpoint?: string
  readonly delivery?: string
  readonly from?: string
  readonly to?: string
  readonly status: 'dropped' | 'delivered'
  readonly skipDelivered?: boolean
}
