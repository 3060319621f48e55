import type { PoolClient } from 'pg'
import type { Mapping, PutMapping } from '../../contract/mapping.ts'
import type { DropFileType } from '../../contract/vocabulary/drops.ts'
import { MAPPINGS_PER_SELLER } from '../../contract/vocabulary/mappings.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Database } from '../connection/database.ts'
import { lockedTransaction, lockOn } from '../connection/lockedTransaction.ts'
import { statement } from '../connection/statement.ts'
import { txOn } from '../connection/txOn.ts'
import { documentVersion, type Expected, refuseUnexpected } from '../tenants/documentVersion.ts'
import { type Actor, recordAct } from '../tenants/securityEvents.ts'
import type { DropKey } from './drops.ts'

/** How sellers' own files are read, by name. A version that was replaced stays while a drop that was registered with it is open. */

type Pool = Pick<Database, 'pool'>
type Client = Pick<PoolClient, 'query'>

interface Row {
  readonly name: string
  readonly version: string
  readonly body: PutMapping
  readonly updated_at: string
}

/** Makes or replaces a mapping. The same content again changes nothing. CONFLICT as expected; INVALID_INPUT beyond the most mappings; RATE_LIMITED beyond the day's acts. */
export async function saveMapping(
  { pool }: Pool,
  actor: Actor,
  name: string,
  body: PutMapping,
  expected: Expected,
): Promise<{ outcome: 'created' | 'replaced'; mapping: Mapping }> {
  const seller = actor.entity
  return changing(pool, seller, async (client) => {
    const current = await currentOf(client, seller, name)
    refuseUnexpected(expected, 'mapping', current?.body, body)
    if (current === undefined) await refuseBeyond(client, seller)
    const version = documentVersion(body)
    if (current?.version === version) return { outcome: 'replaced', mapping: mappingOf(current) }
    await client.query(RETIRE.bind({ seller, name }))
    const { rows } = await client.query<Row>(KEEP.bind({ seller, name, version, type: body.type, body: JSON.stringify(body) }))
    await recordAct(txOn(client), actor, { action: 'mapping.changed', target: name, before: current?.body ?? null, after: body })
    return { outcome: current === undefined ? 'created' : 'replaced', mapping: mappingOf(rows[0] as Row) }
  })
}

/** Removes a mapping, if there is one. */
export async function deleteMapping({ pool }: Pool, actor: Actor, name: string): Promise<void> {
  const seller = actor.entity
  await changing(pool, seller, async (client) => {
    const current = await currentOf(client, seller, name)
    if (current === undefined) return
    await client.query(RETIRE.bind({ seller, name }))
    await recordAct(txOn(client), actor, { action: 'mapping.deleted', target: name, before: current.body })
  })
}

export async function findMapping({ pool }: { pool: Client }, seller: string, name: string): Promise<Mapping | undefined> {
  const row = await currentOf(pool, seller, name)
  return row && mappingOf(row)
}

/** Lists a seller's mappings after a name, by name. */
export async function listMappings(
  { pool }: Pool,
  seller: string,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<Mapping[]> {
  const { rows } = await pool.query<Row>(LIST.bind({ seller, after: after ?? '', limit }))
  return rows.map(mappingOf)
}

/** Returns the mappings for files of a type as they were when the run was registered. */
export async function mappingsOfRun(
  { pool }: { pool: Client },
  { seller, drop_id, run_no }: DropKey,
  type: DropFileType,
): Promise<Mapping[]> {
  const { rows } = await pool.query<Row>(OF_RUN.bind({ seller, drop_id, run_no, type }))
  return rows.map(mappingOf)
}

/** Changes a seller's mappings while none of its drops is being registered, and forgets the versions that nothing needs any more. */
async function changing<T>(pool: Database['pool'], seller: string, change: (client: PoolClient) => Promise<T>): Promise<T> {
  return lockedTransaction(pool, lockOn(`drops:${seller}`), async (client) => {
    const changed = await change(client)
    await client.query(FORGET.bind({ seller }))
    return changed
  })
}

async function currentOf(client: Client, seller: string, name: string): Promise<Row | undefined> {
  return (await client.query<Row>(FIND.bind({ seller, name }))).rows[0]
}

async function refuseBeyond(client: Client, seller: string): Promise<void> {
  const { rows } = await client.query<{ count: number }>(COUNT.bind({ seller }))
  if ((rows[0]?.count ?? 0) < MAPPINGS_PER_SELLER) return
  const message = `A seller has at most ${MAPPINGS_PER_SELLER} mappings: delete one first.`
  throw new Refusal('INVALID_INPUT', message, { field: 'name', most: MAPPINGS_PER_SELLER })
}

function mappingOf({ name, version, updated_at, body }: Row): Mapping {
  return { name, version, updated_at, ...body }
}

const COLUMNS = 'name, version, updated_at, body'

/** Reads a mapping, or no row. */
const FIND = statement(
  'find-mapping',
  ['seller', 'name'],
  `select ${COLUMNS} from drop_mappings where seller = :seller and name = :name and is_current`,
)

const LIST = statement(
  'list-mappings',
  ['seller', 'after', 'limit'],
  `select ${COLUMNS} from drop_mappings where seller = :seller and is_current and name > :after order by name limit :limit`,
)

/** Reads the versions that a run was registered with. */
const OF_RUN = statement(
  'read-mappings-of-run',
  ['seller', 'drop_id', 'run_no', 'type'],
  `select m.name, m.version, m.updated_at, m.body from drops d
      cross join lateral json_to_recordset(d.mappings) as used (name text, version text)
      join drop_mappings m on (m.seller, m.name, m.version) = (d.seller, used.name, used.version)
    where d.seller = :seller and d.drop_id = :drop_id and d.run_no = :run_no and m.type = :type order by m.name`,
)

const COUNT = statement(
  'count-mappings',
  ['seller'],
  'select count(*)::int as count from drop_mappings where seller = :seller and is_current',
)

/** Ends the version in force. */
const RETIRE = statement(
  'retire-mapping',
  ['seller', 'name'],
  'update drop_mappings set is_current = false where seller = :seller and name = :name and is_current',
)

/** Writes a version, or takes up an earlier one that is still there. */
const KEEP = statement(
  'keep-mapping',
  ['seller', 'name', 'version', 'type', 'body'],
  `insert into drop_mappings (seller, name, version, type, body) values (:seller, :name, :version, :type, :body)
    on conflict (seller, name, version) do update set is_current = true, updated_at = now() returning ${COLUMNS}`,
)

/** Deletes the versions that are neither in force nor those of an open drop. */
const FORGET = statement(
  'forget-mappings',
  ['seller'],
  `delete from drop_mappings m where m.seller = :seller and not m.is_current and not exists (
    select from drops d cross join lateral json_to_recordset(d.mappings) as used (name text, version text)
    where d.seller = :seller and d.status = 'processing' and (used.name, used.version) = (m.name, m.version)
  )`,
)
