import type { CreateCreative } from '../../../src/contract/creative.ts'
import type { ListQuery } from '../../../src/contract/publishedReads.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { addCreative, archiveCreative, listCreatives } from '../../../src/store/tenants/creatives.ts'
import type { Handler } from '../../http/handler.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { ok } from '../../http/reply.ts'

/** The buyer's own registry of creatives, which lines refer to. */

export const postCreative: Handler<CreateCreative> = async ({ db }, { caller, body }) => ({
  status: 201,
  body: await addCreative(db, caller.entity, body),
})

export const postArchive: Handler = async ({ db }, { caller, params }) => {
  const creative = await archiveCreative(db, caller.entity, params.creative_id ?? '')
  if (creative === undefined) throw new Refusal('NOT_FOUND', 'There is no such creative.')
  return ok(creative)
}

export const getCreatives: Handler<undefined, ListQuery> = async (deps, { caller, query }) => {
  const page: Page = { bound: ['creatives', caller.entity], ...query }
  const [after] = positionOf(deps, page) ?? []
  const rows = await listCreatives(deps.db, caller.entity, after, page.limit + 1)
  return ok(pageOf(deps, page, rows, ({ creative_id }) => [creative_id]))
}
