import { createHash } from 'node:crypto'
import type { DryRunQuery } from '../../../src/contract/dryRun.ts'
import type { PutRateCard } from '../../../src/contract/rateCard.ts'
import { publishRateCard } from '../../../src/operations/publishing/publishRateCard.ts'
import type { Handler } from '../../http/handler.ts'
import { ok, REPLAYED } from '../../http/reply.ts'
import { publishRequest } from './publishRequest.ts'

export const putRateCard: Handler<PutRateCard, DryRunQuery> = async ({ db }, call) => {
  const { caller, body, raw } = call
  const bodySha256 = createHash('sha256').update(raw).digest()
  const { reply, replayed } = await publishRateCard(db, caller.entity, body, bodySha256, caller.gate, publishRequest(call))
  return ok(reply, replayed ? REPLAYED : {})
}
