import type { Database } from '../store/connection/database.ts'
import type { OrderLog } from '../store/orders/orderLog.ts'
import type { Mailer } from './mailer.ts'
import type { Renderer } from './renderer.ts'

/** What sends order mail. */
export interface MailDeps {
  readonly db: Database
  readonly log: OrderLog
  readonly mailer: Mailer
  readonly identity: MailIdentity
  readonly renderer: Renderer
  readonly logger: {
    warn(message: string, meta?: Record<string, unknown>): void
    error(message: string, meta?: Record<string, unknown>): void
  }
}

/** As whom the marketplace sends. */
export interface MailIdentity {
  /** The address in From. */
  readonly from: string
  /** The return path of a mail, to which bounces go. */
  returnPath(message_id: string): string
}
