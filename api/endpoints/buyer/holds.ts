import type { CreateHold, Hold, HoldsQuery } from '../../../src/contract/hold.ts'
import { checkHold } from '../../../src/domain/holds/checkHold.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { askHold, holdsAtSeller } from '../../../src/operations/pull/askHold.ts'
import { answerHold, listHolds, listReceivedHolds, readHold, readHoldIntake, releaseHold } from '../../../src/store/orders/holds.ts'
import { answerKey, findHoldKey, type HoldBounds, openHold } from '../../../src/store/orders/openHold.ts'
import type { Call } from '../../http/call.ts'
import type { Deps, Handler } from '../../http/handler.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { ok } from '../../http/reply.ts'
import { repeatedReply, requestKey } from '../../http/requestKey.ts'

/**
 * POST /holds: 201; if the seller has a pull connection, its API is asked first (choices, Holds). A reused Idempotency-Key gets its first
 * answer again; a refusal does not use up a key.
 */
export const postHold: Handler<CreateHold> = async (deps, call) => {
  const { caller, body, unknown } = call
  const key = requestKey(call)
  const used = key && (await findHoldKey(deps.db, caller.entity, key))
  if (used !== undefined) return repeatedReply(201, used)
  const intake = await readHoldIntake(deps.db, body, caller.entity)
  checkHold(body, intake)
  const profile = intake.seller?.profile
  const asksSeller = profile !== undefined && holdsAtSeller(profile)
  const opened = await openHold(deps.db, caller.entity, body, asksSeller ? 'asking' : 'held', { bounds: deps.holdBounds, key })
  if ('used' in opened) return repeatedReply(201, opened.used)
  if ('bound' in opened) throw tooMany(opened.bound, body.seller, deps.holdBounds)
  try {
    if (asksSeller) await heldBySeller(deps, caller.entity, opened.hold)
  } catch (error) {
    if (key !== undefined) await answerKey(deps.db, caller.entity, key.key, null)
    throw error
  }
  const reply = { ...opened.hold, status: 'held' } satisfies Hold
  if (key !== undefined) {
    const answer = unknown.length === 0 ? reply : { ...reply, warnings: unknown }
    await answerKey(deps.db, caller.entity, key.key, JSON.stringify(answer))
  }
  return { status: 201, body: reply }
}

function tooMany(bound: keyof HoldBounds, seller: string, bounds: HoldBounds): Refusal {
  const whose = bound === 'perBuyer' ? 'with all sellers' : `with ${seller}`
  const message = `A buyer has at most ${bounds[bound]} open holds ${whose}: release or use some.`
  return new Refusal('INVALID_INPUT', message, { bound: SETTINGS[bound], most: bounds[bound] })
}

const SETTINGS = { perBuyer: 'HOLDS_PER_BUYER', perSeller: 'HOLDS_PER_SELLER' } as const

/** Asks the seller. INVENTORY_UNAVAILABLE if it refuses; UNAVAILABLE if it does not answer, and the hold is released there too. */
async function heldBySeller({ db, secrets, outbound, holdPermits }: Deps, buyer: string, hold: Hold): Promise<void> {
  const answer = await askHold({ db, secrets, outbound, sellerPermits: holdPermits }, buyer, hold)
  const status = await answerHold(db, hold.hold_id, answer === 'unanswered' ? 'released' : answer)
  if (status === 'held') return
  if (answer === 'refused') throw new Refusal('INVENTORY_UNAVAILABLE', `${hold.seller} does not hold this now.`)
  throw new Refusal('UNAVAILABLE', `${hold.seller} cannot be asked to hold right now; try again.`)
}

export const getHolds: Handler<undefined, HoldsQuery> = async (deps, { caller, query }) => {
  const { status, ...paging } = query
  const page: Page = { bound: ['holds', caller.entity, status ?? ''], ...paging }
  const [before] = positionOf(deps, page) ?? []
  const rows = await listHolds(deps.db, caller.entity, { status, before, limit: page.limit + 1 })
  return ok(pageOf(deps, page, rows, ({ hold_id }) => [hold_id]))
}

export const getReceivedHolds: Handler<undefined, HoldsQuery> = async (deps, { caller, query }) => {
  const { status, ...paging } = query
  const page: Page = { bound: ['received-holds', caller.entity, status ?? ''], ...paging }
  const [before] = positionOf(deps, page) ?? []
  const rows = await listReceivedHolds(deps.db, caller.entity, { status, before, limit: page.limit + 1 })
  return ok(pageOf(deps, page, rows, ({ hold_id }) => [hold_id]))
}

export const getHold: Handler = async (deps, call) => ok(await ownHold(deps, call))

/** Releases a hold. Refuses one that an order has used, since the order can be canceled instead. An ended hold keeps its status. */
export const deleteHold: Handler = async (deps, call) => {
  const { hold_id } = await ownHold(deps, call)
  await releaseHold(deps.db, call.caller.entity, hold_id)
  const hold = await ownHold(deps, call)
  if (hold.status !== 'used') return ok(hold)
  const { status, order_id } = hold
  throw new Refusal('INVALID_STATE', `${hold_id} is used by order ${order_id}; cancel that instead.`, { status, order_id })
}

/** Returns the caller's hold that a path names. */
export async function ownHold({ db }: Deps, { caller, params }: Call): Promise<Hold> {
  const { hold_id = '' } = params
  const hold = await readHold(db, caller.entity, hold_id)
  if (hold === undefined) throw new Refusal('NOT_FOUND', 'There is no such hold.')
  return hold
}
