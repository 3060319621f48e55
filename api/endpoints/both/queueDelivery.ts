import type { BrokerFault } from '../../../src/adapters/queue/brokerFault.ts'
import type { TenantQueue } from '../../../src/adapters/queue/tenantQueue.ts'
import type { PutQueueDelivery, QueueDelivery } from '../../../src/contract/queueDelivery.ts'
import { queueNames } from '../../../src/domain/events/queueNames.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { deleteQueueDelivery, putQueueDelivery, readQueueDelivery } from '../../../src/store/delivery/queueDeliveries.ts'
import { actorOf, type Call } from '../../http/call.ts'
import type { Deps, Handler } from '../../http/handler.ts'
import { ok, type Reply } from '../../http/reply.ts'
import { requireAuthority } from '../../signIn/authority.ts'
import { feedPosition } from './orderReads.ts'

/** Sets up delivery to a message queue instead of webhooks, for both sides (contract, Delivery). */
export const putQueue: Handler<PutQueueDelivery> = async (deps, { caller, body }) => {
  const { broker } = deps
  if (broker === undefined) {
    throw new Refusal('INVALID_INPUT', 'This marketplace has no message broker: register a webhook, or read the feed.', {
      supported: ['POST /webhooks/endpoints', 'GET /events/feed'],
    })
  }
  const { after, events = null, statuses = null } = body
  const from = after === undefined ? undefined : feedPosition(deps, caller, after, { events, statuses })
  const authority = requireAuthority(caller, events)
  await declared(broker, queueNames(caller.entity))
  await putQueueDelivery(deps.db, actorOf(caller), authority, { events, statuses }, from)
  return queueOf(deps, caller)
}

/** Declares the queue before the reply, since a consumer that connected first would declare it with other properties. */
async function declared(broker: NonNullable<Deps['broker']>, names: TenantQueue): Promise<void> {
  try {
    await broker.declare(names)
  } catch (error) {
    const { misfit } = error as BrokerFault
    if (misfit === undefined) throw new Refusal('UNAVAILABLE', 'The message broker cannot be reached right now; try again.')
    throw new Refusal(
      'CONFLICT',
      `The broker has ${misfit.kind === 'queue' ? 'a queue' : 'an exchange'} ${misfit.name} that differs in ${misfit.property} from a durable ${misfit.kind === 'queue' ? 'queue' : 'topic exchange'}: delete it, then send this again.`,
      { ...misfit },
    )
  }
}

export const getQueue: Handler = (deps, { caller }) => queueOf(deps, caller)

export const deleteQueue: Handler = async ({ db }, { caller }) => {
  if (!(await deleteQueueDelivery(db, actorOf(caller)))) throw noDelivery()
  return { status: 204 }
}

async function queueOf({ db }: Deps, { entity }: Call['caller']): Promise<Reply> {
  const found = await readQueueDelivery(db.pool, entity)
  if (found === undefined) throw noDelivery()
  const { failing_since, failure, readable: readable_events, ...delivery } = found
  const failing = failing_since === null || failure === null ? null : { since: failing_since, reason: failure }
  return ok({ ...queueNames(entity), ...delivery, readable_events, failing } satisfies QueueDelivery)
}

function noDelivery(): Refusal {
  return new Refusal('NOT_FOUND', 'No delivery to a message queue is set up: PUT /events/queue sets one up.')
}
