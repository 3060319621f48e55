import type { DryRunQuery } from '../../../src/contract/dryRun.ts'
import type { PutCatalog } from '../../../src/contract/product.ts'
import { publishCatalog } from '../../../src/operations/publishing/publishCatalog.ts'
import type { Handler } from '../../http/handler.ts'
import { ok } from '../../http/reply.ts'
import { publishRequest } from './publishRequest.ts'

export const putCatalog: Handler<PutCatalog, DryRunQuery> = async ({ db, productsPerSeller }, call) =>
  ok(await publishCatalog(db, call.caller.entity, call.body, call.caller.gate, productsPerSeller, publishRequest(call)))
