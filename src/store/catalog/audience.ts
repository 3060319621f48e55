import { type Kysely, sql } from 'kysely'
import { addTo } from '../../domain/addTo.ts'
import type { Readers } from '../../domain/discovery/audience.ts'
import type { Tables } from '../connection/tables.ts'

/** Groups every buyer by the agreements in force that it holds with a seller on a date. Buyers without one form one group. */
export async function readAudience(tx: Kysely<Tables>, seller: string, today: string): Promise<Readers[]> {
  const buyers = await tx.selectFrom('tenants').select('entity').where('side', '=', 'buyer').orderBy('entity').execute()
  const agreements = await tx
    .selectFrom('agreements')
    .select('body')
    .where('seller', '=', seller)
    .where('status', '=', 'active')
    .where(sql<boolean>`effective @> ${today}::date`)
    .orderBy('agreement_id')
    .execute()
  const held = new Map<string, Readers['agreements'][number][]>()
  for (const { body } of agreements) addTo(held, body.buyer_entity, body)
  const strangers = buyers.map(({ entity }) => entity).filter((entity) => !held.has(entity))
  return [{ buyers: strangers, agreements: [] }, ...[...held].map(([buyer, own]) => ({ buyers: [buyer], agreements: own }))]
}
