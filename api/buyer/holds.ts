import type { CreateHold, Hold } from '../../src/contract/hold.ts'
import { checkHold } from '../../src/domain/holds/checkHold.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { askHold, holdsAtSeller } from '../../src/pull/askHold.ts'
import { answerHold, openHold, readHold, readHoldIntake, releaseHold } from '../../src/store/holds.ts'
import { type Call, type Deps, type Handler, ok } from '../endpoint.ts'

/** POST /holds: 201; where the seller has a pull connection its API is asked first (choices, Holds). */
export const postHold: Handler<CreateHold> = async (deps, { caller, body }) => {
  const { db } = deps
  const intake = await readHoldIntake(db, body, caller.entity)
  checkHold(body, intake)
  const asksSeller = intake.seller !== undefined && holdsAtSeller(intake.seller.profile)
  const hold = await openHold(db, caller.entity, body, asksSeller ? 'asking' : 'held')
  if (asksSeller) await heldBySeller(deps, hold)
  return { status: 201, body: { ...hold, status: 'held' } satisfies Hold }
}

/** Errors: INVENTORY_UNAVAILABLE when the seller refuses; UNAVAILABLE when it gives no answer, and then it is told that the hold is over. */
async function heldBySeller({ db, secrets, outbound, holdLanes }: Deps, hold: Hold): Promise<void> {
  const answer = await askHold({ db, secrets, outbound, lanes: holdLanes }, hold)
  const status = await answerHold(db, hold.hold_id, answer === 'unanswered' ? 'released' : answer)
  if (status === 'held') return
  if (answer === 'refused') throw new Refusal('INVENTORY_UNAVAILABLE', `${hold.seller} does not hold this now.`)
  throw new Refusal('UNAVAILABLE', `${hold.seller} cannot be asked to hold right now; try again.`)
}

export const getHold: Handler = async (deps, call) => ok(await ownHold(deps, call))

/** A hold that an order has used is the order's: cancel that. One that is over stays as it ended. */
export const deleteHold: Handler = async (deps, call) => {
  const { hold_id } = await ownHold(deps, call)
  await releaseHold(deps.db, call.caller.entity, hold_id)
  const hold = await ownHold(deps, call)
  if (hold.status !== 'used') return ok(hold)
  const { status, order_id } = hold
  throw new Refusal('INVALID_STATE', `${hold_id} is used by order ${order_id}; cancel that instead.`, { status, order_id })
}

async function ownHold({ db }: Deps, { caller, params }: Call): Promise<Hold> {
  const { hold_id = '' } = params
  const hold = await readHold(db, caller.entity, hold_id)
  if (hold === undefined) throw new Refusal('NOT_FOUND', 'There is no such hold.')
  return hold
}
