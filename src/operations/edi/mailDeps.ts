import type { Mailer } from '../../adapters/mail/mailer.ts'
import type { Database } from '../../store/connection/database.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'
import type { Renderer } from './renderer.ts'

/** The dependencies for sending order mail. */
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

/** The identity under which the marketplace sends mail. */
export interface MailIdentity {
  /** The address in From. */
  readonly from: string
  /** Returns the return path of a mail, to which bounces go. */
  returnPath(message_id: string): string
}
