import type { EdiStuckReason } from './edi.ts'

/** The words for what keeps a run from getting on. Has only types. */

/** Why a seller's own API is not called. */
export type NoConnection = 'secret_missing' | 'pull_not_declared'

/** Why a stage of a drop cannot get on. */
export type StageStuckReason = 'storage_unavailable' | 'disk_full' | 'spool_full' | 'catalog_unsteady'

/** Why the oldest mail of an agreement is not sent; `not_set_up` if no mail server is configured. */
export type MailStuckReason = EdiStuckReason | 'not_set_up'

/** Every reason. A variable part has its name in braces; `canceled` is that of a drop whose run an operator canceled. */
export type StuckReason =
  | 'no_progress'
  | 'database_unavailable'
  | 'timeout'
  | 'unexpected'
  | 'canceled'
  | '{error_code}'
  | 'upload_missing'
  | 'permits_taken'
  | 'will_decide_later'
  | NoConnection
  | 'unreachable'
  | 'unreachable:{fault}'
  | 'unusable_answer:{field}'
  | 'unexpected_status_{status}'
  | StageStuckReason
  | `mail:${MailStuckReason}`
  | 'reconcile:failing'
  | 'invoices_left'
