import type { CreateHold, Hold } from '../../src/contract/hold.ts'
import { checkHold } from '../../src/domain/holds/checkHold.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { openHold, readHold, readHoldIntake, releaseHold } from '../../src/store/holds.ts'
import { type Call, type Deps, type Handler, ok } from '../endpoint.ts'

/** POST /holds: 201; where the seller has a pull connection its API is asked first (choices, Holds). */
export const postHold: Handler<CreateHold> = async ({ db }, { caller, body }) => {
  checkHold(body, await readHoldIntake(db, body, caller.entity))
  return { status: 201, body: await openHold(db, caller.entity, body, 'held') }
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
