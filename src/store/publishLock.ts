import { sql } from 'kysely'
import { Refusal } from '../domain/refusal.ts'
import type { Database, Tx } from './database.ts'

/** The seller as its publish finds it. */
export interface PublishingSeller {
  readonly seller: string
  readonly currency: string
  readonly taxonomy_version: string | null
  readonly uses_api: boolean
}

/**
 * Runs one publish in one transaction, with the seller's row held: publishes of one seller follow each other, those of others go on. A large
 * one may take longer than the pool lets a statement run.
 */
export async function withPublishLock<T>(
  { sql: db }: Database,
  seller: string,
  work: (tx: Tx, seller: PublishingSeller) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`select set_config('statement_timeout', '60s', true), set_config('idle_in_transaction_session_timeout', '60s', true)`.execute(
      tx,
    )
    const held = await tx
      .selectFrom('sellers')
      .select(['seller', 'currency', 'taxonomy_version', 'uses_api'])
      .where('seller', '=', seller)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (held === undefined) throw new Refusal('NOT_FOUND', `There is no seller ${seller}.`)
    return work(tx, held)
  })
}

/** Remembers that a seller publishes or decides over the API (choices, Level). */
export async function markUsesApi(tx: Tx, { seller, uses_api }: Pick<PublishingSeller, 'seller' | 'uses_api'>): Promise<void> {
  if (!uses_api) await tx.updateTable('sellers').set({ uses_api: true }).where('seller', '=', seller).execute()
}
