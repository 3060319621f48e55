import { sql } from 'kysely'
import type { DropCommit, EarlierCommit } from '../../domain/drops/stageDropCommit.ts'
import { committedPrices, findCommits } from '../catalog/earlierCommits.ts'
import type { Publishing } from '../catalog/publishLock.ts'
import { batchesOfIds } from '../connection/batches.ts'

/** Returns the taxonomy version of the seller's catalog; null before its first publish. */
export async function readTaxonomyVersion({ sql: db, seller }: Pick<Publishing, 'sql' | 'seller'>): Promise<string | null> {
  const { rows } = await sql<{ taxonomy_version: string | null }>`select taxonomy_version from sellers where seller = ${seller}`.execute(db)
  return rows[0]?.taxonomy_version ?? null
}

/** Returns those of the commits that the seller has published, by name, with what each has published for the keys of its entries. */
export async function findEarlierCommits(
  { sql: db, seller }: Pick<Publishing, 'sql' | 'seller'>,
  commits: readonly DropCommit[],
): Promise<Map<string, EarlierCommit>> {
  const earlier = new Map<string, EarlierCommit>()
  for (const { body_sha256, ...found } of await findCommits(
    db,
    seller,
    commits.map(({ commit }) => commit),
  )) {
    const entries = commits.filter(({ commit }) => commit === found.commit).flatMap((own) => own.entries.map(({ value }) => value))
    earlier.set(found.commit, { ...found, body_sha256: body_sha256.toString('hex'), prices: await committedPrices(db, found, entries) })
  }
  return earlier
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
