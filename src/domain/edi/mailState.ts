import type { MailStuckReason } from '../../contract/vocabulary/stuck.ts'
import type { Instant } from '../calendar.ts'

/** The mails that an agreement still has to send. Its run shows this to operators, so it contains only ids and words. */
export interface MailState {
  /** The time at which the next mail is due; null if none waits. */
  readonly at: Instant | null
  readonly waiting: number
  readonly seller: string | null
  readonly buyer_entity: string | null
  /** Why the mail that has waited longest is not sent. */
  readonly stuck: MailStuckReason | null
  /** How many the server has accepted in the step that returns this. */
  readonly sent?: number
}
