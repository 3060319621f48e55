import type { AnswerMakegood, MakegoodsQuery, NoticeMakegood, OrderMakegoodsQuery, ReviseMakegood } from '../../../src/contract/makegood.ts'
import {
  answerAsBuyer,
  beginMakegood,
  type ChangedMakegood,
  noSuchMakegood,
  reviseMakegood,
} from '../../../src/operations/settlement/changeMakegood.ts'
import { listMakegoods, readMakegood } from '../../../src/store/makegoods/makegoodReads.ts'
import { asMakegood } from '../../../src/store/makegoods/storedMakegood.ts'
import type { Call } from '../../http/call.ts'
import { writeCursor } from '../../http/cursor.ts'
import type { Deps, Handler } from '../../http/handler.ts'
import { type Page, positionOf } from '../../http/page.ts'
import { ok, REPLAYED, type Reply } from '../../http/reply.ts'
import { bodyHash, requestKey } from '../../http/requestKey.ts'
import { ownOrder } from './ownOrder.ts'

/** Makegoods, for both sides. A reused Idempotency-Key gets the makegood in its present state. */

/** POST /me/orders/{order_id}/makegoods */
export const postNotice: Handler<NoticeMakegood> = async (deps, call) =>
  changed(201, await beginMakegood(deps, { ...call.body, ...(await sentIn(deps, call)) }))

/** POST /me/orders/{order_id}/makegoods/{makegood_id} */
export const postRevision: Handler<ReviseMakegood> = async (deps, call) =>
  changed(200, await reviseMakegood(deps, { ...call.body, ...(await sentIn(deps, call)) }))

/** POST /orders/{order_id}/makegoods/{makegood_id} */
export const postAnswer: Handler<AnswerMakegood> = async (deps, call) =>
  changed(200, await answerAsBuyer(deps, { ...call.body, ...(await sentIn(deps, call)) }))

async function sentIn(deps: Deps, call: Call<{ actor?: string | undefined }>) {
  const { caller, params, body, raw } = call
  return {
    order_id: await ownOrder(deps, caller, params),
    makegood_id: params.makegood_id ?? '',
    actor: body.actor ?? caller.entity,
    sent: { key: requestKey(call)?.key, body_hash: bodyHash(raw).toString('hex') },
  }
}

function changed(status: number, { makegood, isReplay }: ChangedMakegood): Reply {
  return { status, body: makegood, ...(isReplay ? { headers: REPLAYED } : {}) }
}

export const getMakegood: Handler = async ({ db }, { caller, params }) => {
  const stored = await readMakegood(db, caller, params.order_id ?? '', params.makegood_id ?? '')
  if (stored === undefined) throw noSuchMakegood()
  const makegood = asMakegood(stored, new Date().toISOString())
  return ok(makegood, { ETag: `"${makegood.version}-${makegood.status}"` })
}

export const getOrderMakegoods: Handler<undefined, OrderMakegoodsQuery> = async (deps, { caller, params, query }) =>
  list(deps, caller, { ...query, order_id: await ownOrder(deps, caller, params) })

export const getMakegoods: Handler<undefined, MakegoodsQuery> = (deps, { caller, query }) => list(deps, caller, query)

async function list(deps: Deps, caller: Call['caller'], { cursor, limit, ...filter }: MakegoodsQuery): Promise<Reply> {
  const page: Page = { bound: ['makegoods', caller.entity, JSON.stringify(filter)], cursor, limit }
  const [before] = positionOf(deps, page) ?? []
  const { makegoods, found } = await deps.pages.inTurn(caller.entity, () =>
    listMakegoods(deps.db, caller, { ...filter, before, limit: limit + 1 }),
  )
  const shown = makegoods.slice(0, limit)
  const last = shown.at(-1)
  const now = new Date().toISOString()
  return ok({
    items: shown.map((stored) => asMakegood(stored, now)),
    next_cursor: last !== undefined && found > shown.length ? writeCursor(deps.cursorKey, page.bound, [last.makegood_id]) : null,
  })
}
