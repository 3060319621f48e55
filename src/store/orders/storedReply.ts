import type pg from 'pg'
import { statement } from '../connection/statement.ts'

export interface StoredReply {
  order_id: string
  request_sha256: Buffer
  reply: string
}

/** Returns the answer to a create; undefined if its key is free. */
export async function readReply(
  on: Pick<pg.Pool, 'query'>,
  buyerEntity: string,
  externalOrderId: string,
): Promise<StoredReply | undefined> {
  const { rows } = await on.query<StoredReply>(REPLY.bind({ buyer: buyerEntity, external_order_id: externalOrderId }))
  return rows[0]
}

/**
 * Reads the reply of the order with a key; no row if the key is free. Neither joins nor offers the buyer to an index: a plan made while the
 * tables were empty would scan all orders of the buyer.
 */
const REPLY = statement(
  'stored-reply',
  ['buyer', 'external_order_id'],
  `select order_id, request_sha256, reply from order_records
    where order_id = (select order_id from orders where external_order_id = :external_order_id and buyer_entity || '' = :buyer)`,
)
