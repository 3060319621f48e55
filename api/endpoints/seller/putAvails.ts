import type { PutAvails } from '../../../src/contract/avail.ts'
import type { DryRunQuery } from '../../../src/contract/dryRun.ts'
import { publishAvails } from '../../../src/operations/publishing/publishAvails.ts'
import type { Handler } from '../../http/handler.ts'
import { ok } from '../../http/reply.ts'
import { publishRequest } from './publishRequest.ts'

export const putAvails: Handler<PutAvails, DryRunQuery> = async ({ db }, call) =>
  ok(await publishAvails(db, call.caller.entity, call.body, call.caller.gate, publishRequest(call)))
