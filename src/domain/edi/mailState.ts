import type { EdiStuckReason } from '../../contract/vocabulary/edi.ts'
import type { Instant } from '../calendar.ts'

/** What an agreement has left to send. Its run shows it to operators: ids and words only. */
export interface MailState {
  /** When the next mail is due; null when none waits. */
  readonly at: Instant | null
  readonly waiting: number
  readonly seller: string | null
  readonly buyer_entity: string | null
  /** Why the mail that has waited longest does not go; `not_set_up` where no mail server is set. */
  readonly stuck: EdiStuckReason | 'not_set_up' | null
}
