import type pg from 'pg'
import { statement } from '../connection/statement.ts'

export interface StoredReply {
  order_id: string
  request_sha256: Buffer
  reply: string
}

/** What a create was answered; undefined when its key is free. */
export async function readReply(
  on: Pick<pg.Pool, 'query'>,
  buyerEntity: string,
  externalOrderId: string,
): Promise<StoredReply | undefined> {
  const { rows } = await on.query<StoredReply>(REPLY.bind({ buyer: buyerEntity, external_order_id: externalOrderId }))
  return rows[0]
}

/**
 * The reply of the order that has a key; no row when the key is free. Not a join, and with the buyer out of reach for an index: a plan made while the
 * tables were empty would walk all orders of the buyer.
 */
const REPLY = statement(
  'stored-reply',
  ['buyer', 'external_order_id'],
  `select order_id, request_sha256, reply from order_records
    where order_id = (select order_id from orders where external_order_id = :external_order_id and buyer_entity || '' = :buyer)`,
)
