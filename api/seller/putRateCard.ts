import { createHash } from 'node:crypto'
import type { PutRateCard } from '../../src/contract/rateCard.ts'
import { publishRateCard } from '../../src/publishing/publishRateCard.ts'
import { type Handler, ok } from '../handler.ts'

export const putRateCard: Handler<PutRateCard> = async ({ db }, { caller, body, raw }) => {
  const bodySha256 = createHash('sha256').update(raw).digest()
  const { reply, replayed } = await publishRateCard(db, caller.entity, body, bodySha256, caller.gate)
  return ok(reply, replayed ? { 'X-Idempotent-Replay': 'true' } : {})
}
