import type { PutCatalog } from '../../src/contract/product.ts'
import { publishCatalog } from '../../src/publishing/publishCatalog.ts'
import { type Handler, ok } from '../handler.ts'

export const putCatalog: Handler<PutCatalog> = async ({ db, productsPerSeller }, { caller, body }) =>
  ok(await publishCatalog(db, caller.entity, body, caller.gate, productsPerSeller))
