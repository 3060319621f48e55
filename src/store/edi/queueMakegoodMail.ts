import type { Makegood } from '../../contract/makegood.ts'
import type { Tx } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'

/** Queues a mail that tells of a makegood as it is now, and wakes its sender, if the agreement of its order asks for such mails. */
export async function queueMakegoodMail(tx: Tx, makegood: Makegood): Promise<void> {
  const { order_id, updated_at } = makegood
  await runOn(tx, QUEUE.bind({ message_id: newId('edi_'), order_id, makegood: JSON.stringify(makegood), at: updated_at }))
}

const QUEUE = statement(
  'queue-makegood-mail',
  ['message_id', 'order_id', 'makegood', 'at'],
  `with queued as (
      insert into edi_messages
        (message_id, order_id, seq_then, agreement_id, seller, buyer_entity, thread, document, document_id, mailed_makegood, created_at)
      select :message_id, o.order_id, o.last_seq, o.agreement_id, o.seller, o.buyer_entity, coalesce(o.root, o.order_id), 'makegood', :message_id,
          :makegood::json, :at
        from orders o join agreements a using (agreement_id) where o.order_id = :order_id and a.body->'edi'->>'makegoods' = 'true'
      returning agreement_id
    )
    insert into outbox (kind, target) select 'mail', agreement_id from queued`,
)
