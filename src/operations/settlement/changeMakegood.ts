import type { AnswerMakegood, Makegood, NoticeMakegood, ReviseMakegood } from '../../contract/makegood.ts'
import type { Side } from '../../contract/vocabulary/access.ts'
import { MAKEGOODS_PER_DAY, MAKEGOODS_PER_ORDER } from '../../contract/vocabulary/makegoods.ts'
import { answerMakegood } from '../../domain/makegood/buyer.ts'
import type { MakegoodChange } from '../../domain/makegood/makegoodState.ts'
import { noticeMakegood, offerMakegood, recallMakegood } from '../../domain/makegood/seller.ts'
import { dueAt } from '../../domain/makegood/tend.ts'
import type { OrderState } from '../../domain/order/state.ts'
import { Refusal } from '../../domain/refusal.ts'
import { keyOfOtherBody } from '../../domain/requestKey.ts'
import { isSentBefore, type SentAction } from '../../domain/settlement/sentBefore.ts'
import type { Database, Tx } from '../../store/connection/database.ts'
import { newId } from '../../store/connection/newId.ts'
import { queueMakegoodMail } from '../../store/edi/queueMakegoodMail.ts'
import { pinUpload } from '../../store/files/pinUpload.ts'
import {
  countMakegood,
  findByKey,
  findMakegood,
  loadMakegoods,
  type OrderMakegoods,
  saveMakegood,
} from '../../store/makegoods/changeMakegoods.ts'
import { asMakegood, type StoredMakegood } from '../../store/makegoods/storedMakegood.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'
import { lockReconciliation } from '../../store/settlement/varianceSteps.ts'
import { factsOf, NOTHING_SOLD, readSold, readTerms } from './makegoodFacts.ts'

export interface MakegoodDeps {
  readonly orders: OrderLog
  readonly db: Database
}

/** A makegood after a request, and whether an earlier request with the same key or bytes did the same. */
export interface ChangedMakegood {
  readonly makegood: Makegood
  readonly isReplay: boolean
}

interface Sent {
  readonly order_id: string
  readonly actor: string
  readonly sent: SentAction
}

/**
 * Begins a makegood of an order of the seller's, in one transaction with the wake of its run. A reused key returns the makegood that it began. Errors:
 * NOT_FOUND for an unknown line, INVALID_STATE unless the order is placed, INVALID_INPUT with every fault or beyond a bound, CONFLICT for a key with another body.
 */
export async function beginMakegood({ orders, db }: MakegoodDeps, request: NoticeMakegood & Sent): Promise<ChangedMakegood> {
  const { order_id, sent } = request
  const before = await requireOrder(orders, order_id)
  const [sold, agreement] = [await readSold(db, before, request.offers ?? []), await readTerms(db, before)]
  return withMakegoods(orders, order_id, async (tx, order, known) => {
    const begun = sent.key === undefined ? undefined : await findByKey(tx, order_id, sent.key)
    if (begun !== undefined) {
      if (begun.steps[0]?.body_hash !== sent.body_hash) throw keyOfOtherBody()
      return { makegood: asMakegood(begun, known.now), isReplay: true }
    }
    const facts = await factsOf(tx, order, known, { missed: request.for }, { ...sold, agreement })
    const { seller } = order.request
    const { upload_id } = request
    const hasFile = upload_id === undefined || (await pinUpload(tx, { upload_id, owner: seller, order_id }))
    const change = noticeMakegood(request, { ...facts, hasFile })
    await refuseBeyondBounds(tx, seller, known)
    const makegood_id = newId('mkg_')
    await save(tx, order, known, { makegood_id, actions: 0, upload_id }, change, sent)
    return { makegood: await shown(tx, order_id, makegood_id, known.now), isReplay: false }
  })
}

/** Refuses another makegood beyond the bounds of an order and of a seller's day. */
export async function refuseBeyondBounds(tx: Tx, seller: string, { now, makegoods }: OrderMakegoods): Promise<void> {
  if (makegoods.length >= MAKEGOODS_PER_ORDER) {
    const message = `An order has at most ${MAKEGOODS_PER_ORDER} makegoods.`
    throw new Refusal('INVALID_INPUT', message, { bound: 'MAKEGOODS_PER_ORDER', most: MAKEGOODS_PER_ORDER })
  }
  if (await countMakegood(tx, seller, now)) return
  const message = `A seller begins at most ${MAKEGOODS_PER_DAY} makegoods in a day.`
  throw new Refusal('INVALID_INPUT', message, { bound: 'MAKEGOODS_PER_DAY', most: MAKEGOODS_PER_DAY })
}

/** Offers or recalls as the seller. Errors: NOT_FOUND, INVALID_STATE with status and version, INVALID_INPUT, CONFLICT for a key with another body. */
export async function reviseMakegood(
  deps: MakegoodDeps,
  request: ReviseMakegood & Sent & { makegood_id: string },
): Promise<ChangedMakegood> {
  const { order_id, action, offers = [] } = request
  const before = await requireOrder(deps.orders, order_id)
  const sold = action === 'offer' ? await readSold(deps.db, before, offers) : NOTHING_SOLD
  const agreement = await readTerms(deps.db, before)
  return changeKnown(deps, 'seller', request, async (tx, order, known, makegood) => {
    if (action === 'recall') return recallMakegood(makegood, request, known.now)
    const facts = await factsOf(tx, order, known, makegood, { ...sold, agreement })
    return offerMakegood(makegood, { ...request, offers, actions: makegood.steps.length }, facts)
  })
}

/** Answers as the buyer: the first answer wins. Errors: as for reviseMakegood. */
export async function answerAsBuyer(
  deps: MakegoodDeps,
  request: AnswerMakegood & Sent & { makegood_id: string },
): Promise<ChangedMakegood> {
  const agreement = await readTerms(deps.db, await requireOrder(deps.orders, request.order_id))
  return changeKnown(deps, 'buyer', request, async (tx, order, known, makegood) => {
    const facts = await factsOf(tx, order, known, makegood, { ...NOTHING_SOLD, agreement })
    return answerMakegood(makegood, request, facts)
  })
}

type Decide = (tx: Tx, order: OrderState, known: OrderMakegoods, makegood: StoredMakegood) => Promise<MakegoodChange>

/** Works on the makegoods of an order in one transaction, under its lock and that of its reconciliation. */
export function withMakegoods<Result>(
  log: OrderLog,
  orderId: string,
  work: (tx: Tx, order: OrderState, known: OrderMakegoods) => Promise<Result>,
): Promise<Result> {
  return log.exclusively(orderId, async ({ order }, { tx }) => {
    await lockReconciliation(tx, orderId)
    return work(tx, order, await loadMakegoods(tx, orderId))
  })
}

/** Changes a makegood under the lock of its order, unless the request repeats what its side did last or sent with its key before. */
async function changeKnown(
  { orders }: MakegoodDeps,
  side: Side,
  { order_id, makegood_id, sent }: Sent & { makegood_id: string },
  decide: Decide,
): Promise<ChangedMakegood> {
  return withMakegoods(orders, order_id, async (tx, order, known) => {
    const makegood = await findMakegood(tx, order_id, makegood_id)
    if (makegood === undefined) throw noSuchMakegood()
    if (isRepeat(makegood, side, sent)) return { makegood: asMakegood(makegood, known.now), isReplay: true }
    const change = await decide(tx, order, known, makegood)
    await save(tx, order, known, { makegood_id, actions: makegood.steps.length }, change, sent)
    return { makegood: await shown(tx, order_id, makegood_id, known.now), isReplay: false }
  })
}

/** Returns true for a key that its side has sent before, and without a key for the bytes of the last thing that a party did. */
function isRepeat({ steps }: StoredMakegood, side: Side, sent: SentAction): boolean {
  const own = steps.flatMap((step) => (step.side === side ? [{ ...step, side }] : []))
  if (sent.key !== undefined) return isSentBefore(own, side, sent)
  const last = steps.findLast((step) => step.side !== 'platform')
  return last?.side === side && last.body_hash === sent.body_hash
}

export async function save(
  tx: Tx,
  order: OrderState,
  { now }: OrderMakegoods,
  { makegood_id, actions, upload_id }: { makegood_id: string; actions: number; upload_id?: string | undefined },
  change: MakegoodChange,
  sent: SentAction | 'its run' | undefined,
): Promise<void> {
  const { makegood } = change
  const { request, facts, lines } = order
  const missed = new Set(makegood.missed.map(({ unit_id }) => unit_id))
  const replaced = lines.filter(({ unit_id }) => missed.has(unit_id)).map(({ product_id }) => product_id)
  await saveMakegood(tx, {
    ...{ makegood_id, order_id: facts.order_id, seller: request.seller, buyer_entity: facts.buyer_entity },
    ...{ change, actions, upload_id, now, due_at: dueAt(makegood, order) },
    ...(sent === 'its run' ? { isOfRun: true } : { isOfRun: false, sent }),
    product_ids: [...new Set([...makegood.offers.map(({ product_id }) => product_id), ...replaced])],
  })
  if (request.agreement_id !== undefined) await queueMakegoodMail(tx, await shown(tx, facts.order_id, makegood_id, now))
}

async function shown(tx: Tx, orderId: string, makegoodId: string, now: string): Promise<Makegood> {
  const stored = await findMakegood(tx, orderId, makegoodId)
  if (stored === undefined) throw noSuchMakegood()
  return asMakegood(stored, now)
}

async function requireOrder(orders: OrderLog, orderId: string): Promise<OrderState> {
  const order = await orders.load(orderId)
  if (order === undefined) throw new Refusal('NOT_FOUND', 'There is no such order.')
  return order
}

export function noSuchMakegood(): Refusal {
  return new Refusal('NOT_FOUND', 'There is no such makegood.')
}
