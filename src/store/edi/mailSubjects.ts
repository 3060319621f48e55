import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** The part of a mail that a list shows. */
export interface MailSubject {
  readonly message_id: string
  readonly order_id: string
  readonly to_address: string | null
  readonly subject: string | null
}

/** Returns those of the mails with these ids that the tenant in whose scope `db` is may read; with an order_id, only that order's. */
export async function readMailSubjects(
  { pool }: Pick<Database, 'pool'>,
  messageIds: readonly string[],
  orderId?: string,
): Promise<Map<string, MailSubject>> {
  const { rows } = await pool.query<MailSubject>(READ.bind({ message_ids: messageIds, order_id: orderId ?? null }))
  return new Map(rows.map((row) => [row.message_id, row]))
}

/** Returns a row for each mail. */
const READ = statement(
  'read-mail-subjects',
  ['message_ids', 'order_id'],
  `select message_id, order_id, to_address, subject from edi_messages
    where message_id = any(:message_ids::text[]) and (:order_id::text is null or order_id = :order_id)`,
)
