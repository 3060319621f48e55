import { MappingName } from '../../../src/contract/drop.ts'
import type { MappingListQuery, PutMapping } from '../../../src/contract/mapping.ts'
import { invalid, Refusal, refuseIfAny } from '../../../src/domain/refusal.ts'
import { deleteMapping, findMapping, listMappings, saveMapping } from '../../../src/store/drops/mappings.ts'
import { actorOf } from '../../http/call.ts'
import type { Handler } from '../../http/handler.ts'
import { expectedOf } from '../../http/ifMatch.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { ok } from '../../http/reply.ts'

/** How a seller's own files are read. */

export const getMappings: Handler<undefined, MappingListQuery> = async (deps, { caller, query }) => {
  const page: Page = { bound: ['mappings', caller.entity], ...query }
  const [after] = positionOf(deps, page) ?? []
  const rows = await listMappings(deps.db, caller.entity, { after, limit: page.limit + 1 })
  return ok(pageOf(deps, page, rows, ({ name }) => [name]))
}

export const getMapping: Handler = async ({ db }, { caller, params }) => {
  const mapping = await findMapping(db, caller.entity, params.name ?? '')
  if (mapping === undefined) throw new Refusal('NOT_FOUND', 'There is no such mapping.')
  return ok(mapping, etagOf(mapping))
}

/** Makes a mapping or replaces it whole. Drops that are registered already keep the version that they were registered with. */
export const putMapping: Handler<PutMapping> = async ({ db }, { caller, params, body, headers }) => {
  const name = params.name ?? ''
  const issues = MappingName.safeParse(name).error?.issues ?? []
  refuseIfAny(issues.map(({ message }) => invalid('name', `name ${message}; ${JSON.stringify(name)} was sent.`)))
  const { outcome, mapping } = await saveMapping(db, actorOf(caller), name, body, expectedOf(headers))
  return { status: outcome === 'created' ? 201 : 200, body: mapping, headers: etagOf(mapping) }
}

/** Removes a mapping; one that is not there is gone already. */
export const removeMapping: Handler = async ({ db }, { caller, params }) => {
  await deleteMapping(db, actorOf(caller), params.name ?? '')
  return { status: 204 }
}

function etagOf({ version }: { version: string }): { ETag: string } {
  return { ETag: `"${version}"` }
}
