import type { EdiStatus } from '../../contract/vocabulary/edi.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/**
 * Moves a mail from `sent` to `bounced`, with the reason for this status code, and changes nothing else. Returns the resulting status;
 * undefined if there is no such mail.
 */
export async function bounceMessage({ pool }: Pick<Database, 'pool'>, message_id: string, code: string): Promise<EdiStatus | undefined> {
  const { rows } = await pool.query<{ status: EdiStatus | null }>(BOUNCE.bind({ message_id, code }))
  return rows[0]?.status ?? undefined
}

/** Returns one row: the status of the mail, or null. */
const BOUNCE = statement('bounce-edi-message', ['message_id', 'code'], `select bounce_edi_message(:message_id, :code) as status`)
