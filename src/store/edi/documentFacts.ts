import type { EdiDelivery } from '../../contract/agreement.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** What a document says that neither its order nor its products do. */
export interface DocumentFacts {
  /** The names of the two tenants. */
  readonly agency: string
  readonly seller: string
  /** What the agreement says of documents today, in force or ended; null when it says nothing. */
  readonly edi: EdiDelivery | null
  /** The id that the buyer gave to the order that a revised document names. */
  readonly superseded: string | null
}

export async function readDocumentFacts(
  { pool }: Pick<Database, 'pool'>,
  order: { seller: string; buyer_entity: string; agreement_id: string; supersedes: string | null },
): Promise<DocumentFacts> {
  const { seller, buyer_entity, agreement_id, supersedes } = order
  const { rows } = await pool.query<DocumentFacts>(FACTS.bind({ seller, buyer_entity, agreement_id, supersedes }))
  return rows[0] as DocumentFacts
}

/** One row of names, terms and the superseded order's key. */
const FACTS = statement(
  'read-document-facts',
  ['seller', 'buyer_entity', 'agreement_id', 'supersedes'],
  `select (select name from tenants where entity = :buyer_entity) as agency, (select name from tenants where entity = :seller) as seller,
    (select body->'edi' from agreements where agreement_id = :agreement_id) as edi,
    (select external_order_id from orders where order_id = :supersedes) as superseded`,
)
