import type pg from 'pg'
import { refuseBeyondCredit } from '../../domain/agreement/settlement.ts'
import { mayBeRevised } from '../../domain/order/family.ts'
import { batched } from '../connection/batched.ts'
import { lockedTransaction } from '../connection/lockedTransaction.ts'
import { creditLock, readCredit } from '../tenants/credit.ts'
import { type Created, createOrders, type NewOrder } from './createOrders.ts'
import { beginFamily, familyLock, readFamily } from './families.ts'
import { readReply } from './storedReply.ts'

/** Creates an order: in one commit with concurrent ones, or alone if it depends on what others do. */
export async function createOrder(pool: pg.Pool, order: NewOrder): Promise<Created> {
  const { credit } = order
  const revised = order.order.request.revision?.supersedes
  if (revised !== undefined) return createRevision(pool, order, revised)
  if (credit === undefined) return createTogether(pool, order)
  return lockedTransaction(pool, creditLock(credit.agreement_id), (client) => createOnCredit(client, order))
}

/** Creates are grouped while commits are quick, since a larger group costs less an order: policies, plans and commits once for all. */
const createTogether = batched<NewOrder, Created>(createOrders, { most: 64, inFlight: 4, aloneMs: 10 }, sizeOf)

/** The characters of a line in the record, the snapshot and the event together, about. */
const LINE_CHARACTERS = 2_000

function sizeOf({ order, reply }: NewOrder): number {
  return reply.length + LINE_CHARACTERS * (order.request.line_items?.length ?? 0)
}

/** Creates a revision, unless a revision of the same order was placed or its family became full after the facts were read. */
function createRevision(pool: pg.Pool, order: NewOrder, revised: string): Promise<Created> {
  return lockedTransaction(pool, familyLock(revised), async (client) => {
    if (!mayBeRevised(revised, (await readFamily(client, revised)) ?? [])) return 'outdated'
    if (order.credit !== undefined) await client.query(creditLock(order.credit.agreement_id))
    const outcome = await createOnCredit(client, order)
    if (outcome === 'created') await beginFamily(client, revised)
    return outcome
  })
}

/** Creates an order that draws on credit. Creates under one cap run one after another, so that each sees what earlier ones have drawn. */
async function createOnCredit(client: pg.PoolClient, order: NewOrder): Promise<Created> {
  const { credit } = order
  if (credit !== undefined) {
    const { facts, request } = order.order
    // A concurrent duplicate may have drawn it meanwhile: this request is then a replay, not a second draw.
    if ((await readReply(client, facts.buyer_entity, request.external_order_id)) !== undefined) return 'taken'
    const { exposure, family } = await readCredit(client, credit.agreement_id, { supersedes: request.revision?.supersedes })
    refuseBeyondCredit(credit, { exposure, family, own: 0 })
  }
  const [outcome] = await createOrders(client, [order])
  return outcome as Created
}
