import type { CreateCreative, Creative } from '../../contract/creative.ts'
import type { Database } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'

/** Adds an entry to a buyer's creative registry. An entry never changes except when it is archived. */
export async function addCreative({ sql }: Database, buyer_entity: string, creative: CreateCreative): Promise<Creative> {
  const row = { creative_id: newId('crv_'), ...creative, status: 'active' as const, created_at: new Date().toISOString() }
  await sql
    .insertInto('creatives')
    .values({ ...row, buyer_entity })
    .execute()
  return row
}

/** Archives a creative of this buyer; archiving it again changes nothing. Undefined if it is not this buyer's. */
export async function archiveCreative({ sql }: Database, buyer_entity: string, creative_id: string): Promise<Creative | undefined> {
  return sql
    .updateTable('creatives')
    .set({ status: 'archived' })
    .where('buyer_entity', '=', buyer_entity)
    .where('creative_id', '=', creative_id)
    .returning(COLUMNS)
    .executeTakeFirst()
}

export async function listCreatives(
  { sql }: Database,
  buyer_entity: string,
  after: string | undefined,
  limit: number,
): Promise<Creative[]> {
  let query = sql.selectFrom('creatives').select(COLUMNS).where('buyer_entity', '=', buyer_entity).orderBy('creative_id').limit(limit)
  if (after !== undefined) query = query.where('creative_id', '>', after)
  return query.execute()
}

const COLUMNS = ['creative_id', 'creative_code', 'name', 'length_seconds', 'status', 'created_at'] as const

/** Returns the codes of a buyer's creatives among those named, including archived ones. */
export async function creativeCodes(
  { sql }: Pick<Database, 'sql'>,
  buyer_entity: string,
  creativeIds: readonly string[],
): Promise<Map<string, string>> {
  if (creativeIds.length === 0) return new Map()
  const rows = await sql
    .selectFrom('creatives')
    .select(['creative_id', 'creative_code'])
    .where('buyer_entity', '=', buyer_entity)
    .where('creative_id', 'in', [...new Set(creativeIds)])
    .execute()
  return new Map(rows.map(({ creative_id, creative_code }) => [creative_id, creative_code]))
}
