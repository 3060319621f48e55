import type { PutAvails } from '../../src/contract/avail.ts'
import { publishAvails } from '../../src/publishing/publishAvails.ts'
import { type Handler, ok } from '../handler.ts'

export const putAvails: Handler<PutAvails> = async ({ db }, { caller, body }) =>
  ok(await publishAvails(db, caller.entity, body, caller.gate))
