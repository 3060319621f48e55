import type pg from 'pg'

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
  const { rows } = await on.query<StoredReply>({ ...REPLY, values: [buyerEntity, externalOrderId] })
  return rows[0]
}

const REPLY = {
  name: 'stored-reply',
  // Not a join, and with the buyer out of reach for an index: a plan made while the tables were empty would walk all orders of the buyer.
  text: `select order_id, request_sha256, reply from order_records
    where order_id = (select order_id from orders where external_order_id = $2 and buyer_entity || '' = $1)`,
}
