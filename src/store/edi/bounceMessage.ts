import type { EdiStatus } from '../../contract/vocabulary/edi.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/**
 * Moves a mail from `sent` to `bounced`, for the reason of this status code, and changes nothing else. Returns the status that the mail has then;
 * undefined where there is no such mail.
 */
export async function bounceMessage({ pool }: Pick<Database, 'pool'>, message_id: string, code: string): Promise<EdiStatus | undefined> {
  const { rows } = await pool.query<{ status: EdiStatus | null }>(BOUNCE.bind({ message_id, code }))
  return rows[0]?.status ?? undefined
}

/** One row: the status of the mail, or null. */
const BOUNCE = statement('bounce-edi-message', ['message_id', 'code'], `select bounce_edi_message(:message_id, :code) as status`)
