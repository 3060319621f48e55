import type { EdiStuckReason } from '../../contract/vocabulary/edi.ts'
import type { Instant } from '../calendar.ts'

/** The mails that an agreement still has to send. Its run shows this to operators, so it contains only ids and words. */
export interface MailState {
  /** The time at which the next mail is due; null if none waits. */
  readonly at: Instant | null
  readonly waiting: number
  readonly seller: string | null
  readonly buyer_entity: string | null
  /** Why the mail that has waited longest is not sent; `not_set_up` if no mail server is configured. */
  readonly stuck: EdiStuckReason | 'not_set_up' | null
}
