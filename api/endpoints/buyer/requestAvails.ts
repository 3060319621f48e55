import type { AvailsRequest, AvailsRequestReply } from '../../../src/contract/availsRequest.ts'
import type { Fault } from '../../../src/contract/errorEnvelope.ts'
import { visibleProducts } from '../../../src/domain/agreement/visibleProducts.ts'
import { isPeriodStart } from '../../../src/domain/calendar.ts'
import { Refusal, refuseIfAny } from '../../../src/domain/refusal.ts'
import { saveAvailsRequest } from '../../../src/store/catalog/availsRequests.ts'
import { readCatalogHead } from '../../../src/store/catalog/catalog.ts'
import { readNamedFor } from '../../../src/store/catalog/productTerms.ts'
import type { Call, Caller } from '../../http/call.ts'
import type { Deps, Handler } from '../../http/handler.ts'
import { accepted } from '../../http/reply.ts'
import { relationOf } from './relation.ts'

/** POST /sellers/{seller}/avails/requests: 202; a hidden product is refused like an unknown one (choices, Avails request). */
export const requestAvails: Handler<AvailsRequest> = async (deps, { caller, params, body }) => {
  const seller = await knownSeller(deps, caller, params)
  const { product_id, period, agreement } = body
  const { agreements } = await relationOf(deps.db, seller, caller.entity)
  const faults: Fault[] = []
  if (visibleProducts(await readNamedFor(deps.db, seller, caller.entity, [product_id]), agreements).length === 0) {
    faults.push(invalid('product_id', `${product_id} is not a product of ${seller}.`))
  }
  if (!isPeriodStart(period.grain, period.start)) {
    faults.push(invalid('period.start', `The ${period.grain} ${period.start} does not exist.`))
  }
  if (agreement !== undefined && !agreements.some(({ agreement_id }) => agreement_id === agreement)) {
    faults.push(invalid('agreement', `${agreement} is not an agreement with ${seller}.`))
  }
  refuseIfAny(faults)
  const reply: AvailsRequestReply = { request_id: await saveAvailsRequest(deps.db, seller, caller.entity, body) }
  return accepted(reply)
}

export async function knownSeller({ db }: Deps, _caller: Caller, { seller = '' }: Call['params']): Promise<string> {
  if ((await readCatalogHead(db, seller)) === undefined) throw new Refusal('NOT_FOUND', 'There is no such seller.')
  return seller
}

function invalid(field: string, message: string): Fault {
  return { error_code: 'INVALID_INPUT', field, message }
}
