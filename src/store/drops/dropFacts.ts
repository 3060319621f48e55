import { sql } from 'kysely'
import type { DropCommit, EarlierCommit } from '../../domain/drops/stageDropCommit.ts'
import type { Publishing } from '../catalog/publishLock.ts'
import { batches, batchesOfIds } from '../connection/batches.ts'

/** Returns the taxonomy version of the seller's catalog; null before its first publish. */
export async function readTaxonomyVersion({ sql: db, seller }: Pick<Publishing, 'sql' | 'seller'>): Promise<string | null> {
  const { rows } = await sql<{ taxonomy_version: string | null }>`select taxonomy_version from sellers where seller = ${seller}`.execute(db)
  return rows[0]?.taxonomy_version ?? null
}

/** Returns those of the commits that the seller has published, by name, and the stored answer of each that has the same bytes. */
export async function findEarlierCommits(
  { sql: db, seller }: Pick<Publishing, 'sql' | 'seller'>,
  commits: readonly DropCommit[],
): Promise<Map<string, EarlierCommit>> {
  const earlier = new Map<string, EarlierCommit>()
  for (const some of batches(sent(commits), AT_ONCE)) for (const [commit, one] of await findSome(db, seller, some)) earlier.set(commit, one)
  return earlier
}

/** Commits per statement. */
const AT_ONCE = 5_000

function* sent(commits: readonly DropCommit[]) {
  for (const { commit, body_sha256 } of commits) yield { commit, body_sha256 }
}

async function findSome(
  db: Publishing['sql'],
  seller: string,
  commits: readonly Pick<DropCommit, 'commit' | 'body_sha256'>[],
): Promise<[string, EarlierCommit][]> {
  const { rows } = await sql<{ commit: string; body_sha256: string; reply: string | null }>`
    select c.commit, encode(c.body_sha256, 'hex') as body_sha256, case when encode(c.body_sha256, 'hex') = sent.body_sha256 then c.reply end as reply
    from unnest(${commits.map(({ commit }) => commit)}::text[], ${commits.map(({ body_sha256 }) => body_sha256)}::text[])
      as sent(commit, body_sha256)
    join rate_commits c on c.seller = ${seller} and c.commit = sent.commit
    order by (encode(c.body_sha256, 'hex') = sent.body_sha256)`.execute(db)
  return rows.map(({ commit, body_sha256, reply }) => [commit, { body_sha256, ...(reply === null ? {} : { reply: JSON.parse(reply) }) }])
}

/** Returns those of the ids that are agreements of the seller. */
export async function ownAgreements({ sql: db, seller }: Pick<Publishing, 'sql' | 'seller'>, ids: readonly string[]): Promise<Set<string>> {
  const own = new Set<string>()
  for (const some of batchesOfIds(new Set(ids))) {
    const { rows } = await sql<{ agreement_id: string }>`
      select agreement_id from agreements where seller = ${seller} and agreement_id = any(${some}::text[])`.execute(db)
    for (const { agreement_id } of rows) own.add(agreement_id)
  }
  return own
}
