import type { Agreement } from '../../contract/agreement.ts'
import type { Reading } from '../connection/snapshot.ts'
import { statement } from '../connection/statement.ts'

/** Returns the agreements in force between a buyer and a seller. */
export async function agreementsBetween(
  { pool }: Pick<Reading, 'pool'>,
  buyer: string,
  seller: string,
  today: string,
): Promise<Agreement[]> {
  const { rows } = await pool.query<{ body: Agreement }>(BETWEEN.bind({ buyer, seller, today }))
  return rows.map(({ body }) => body)
}

/** Reads the agreements in force between a buyer and a seller, by id. */
const BETWEEN = statement(
  'agreements-between',
  ['buyer', 'seller', 'today'],
  `select body from agreements where buyer_entity = :buyer and seller = :seller and status = 'active' and effective @> :today::date order by agreement_id`,
)
