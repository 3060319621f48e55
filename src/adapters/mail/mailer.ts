import type { EdiOutcome, EdiStuckReason } from '../../contract/vocabulary/edi.ts'
import type { ComposedMail } from './composeMail.ts'

/** Sends mails to the mail server. */
export interface Mailer {
  /**
   * Tries once to send a mail. `envelopeId` is sent with it, so that a later report can name it. Never throws for a server's behaviour: a
   * closed connection is an outcome, too.
   */
  send(mail: ComposedMail & { readonly envelopeId: string }): Promise<MailOutcome>
  close(): Promise<void>
}

/** The mail server's response to an attempt. */
export interface MailOutcome {
  outcome: EdiOutcome
  /** The reason why the mail was neither accepted nor refused. */
  reason?: EdiStuckReason
  /** The reply code and its enhanced code (RFC 3463), if the server gave them. */
  code?: number
  enhanced?: string
  latency_ms: number
}
