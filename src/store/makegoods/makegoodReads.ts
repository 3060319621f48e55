import type { MakegoodStatus } from '../../contract/vocabulary/makegoods.ts'
import type { Database } from '../connection/database.ts'
import { PAGE_BYTES, withinPage } from '../connection/pageBytes.ts'
import { statement } from '../connection/statement.ts'
import type { Reader } from '../orders/command.ts'
import { CURRENT_STATUS, MAKEGOOD_COLUMNS, type StoredMakegood } from './storedMakegood.ts'

type Pool = Pick<Database, 'pool'>

/** Returns a makegood of an order of the reader's; undefined for another's, as for an unknown one. */
export async function readMakegood(
  { pool }: Pool,
  reader: Reader,
  orderId: string,
  makegoodId: string,
): Promise<StoredMakegood | undefined> {
  const { rows } = await pool.query<StoredMakegood>(
    READ.bind({ side: reader.side, entity: reader.entity, order_id: orderId, makegood_id: makegoodId }),
  )
  return rows[0]
}

export interface MakegoodFilter {
  readonly order_id?: string | undefined
  readonly status?: MakegoodStatus | undefined
  readonly product?: string | undefined
  readonly since?: string | undefined
  readonly before?: string | undefined
  readonly limit: number
}

/** A page of a list, and how many makegoods were found, up to the limit: more than those listed if the page ends early. */
export interface MakegoodPage {
  readonly makegoods: StoredMakegood[]
  readonly found: number
}

/** Lists the makegoods of a reader, newest first, below an id. */
export async function listMakegoods({ pool }: Pool, reader: Reader, filter: MakegoodFilter): Promise<MakegoodPage> {
  const { side, entity } = reader
  const { order_id = null, status = null, product = null, since = null, before = null, limit } = filter
  const asked = { entity, order_id, status, product, since, before, limit, page_bytes: PAGE_BYTES }
  const { rows } = await pool.query<StoredMakegood & { found: string }>(LIST[side].bind(asked))
  return { makegoods: rows, found: Number(rows[0]?.found ?? 0) }
}

const PARTY = `case :side when 'buyer' then m.buyer_entity else m.seller end = :entity`

/** Returns one row, or none. */
const READ = statement(
  'read-makegood',
  ['side', 'entity', 'order_id', 'makegood_id'],
  `select ${MAKEGOOD_COLUMNS} from makegoods m where m.makegood_id = :makegood_id and m.order_id = :order_id and ${PARTY}`,
)

/** Reads a page, which ends at its limit or its bytes. */
const listOf = (side: 'buyer' | 'seller', column: string) =>
  statement(
    `list-makegoods-of-${side}`,
    ['entity', 'order_id', 'status', 'product', 'since', 'before', 'limit', 'page_bytes'],
    `with found as (
      select ${MAKEGOOD_COLUMNS} from makegoods m
      where m.${column} = :entity and (:order_id::text is null or m.order_id = :order_id) and (:before::text is null or m.makegood_id < :before)
        and (:status::text is null or :status = ${CURRENT_STATUS}) and (:product::text is null or :product = any(m.product_ids))
        and (:since::timestamptz is null or m.updated_at >= :since)
      order by m.makegood_id desc limit :limit
    )
    select * from ${withinPage('select * from found', {
      text: '(missed::text || offers::text || steps::text)',
      order: 'makegood_id desc',
      bytes: ':page_bytes::int',
    })} page order by makegood_id desc`,
  )
const LIST = { buyer: listOf('buyer', 'buyer_entity'), seller: listOf('seller', 'seller') }
