import type { ComposedMail } from '../adapters/composeMail.ts'
import type { EdiOutcome, EdiStuckReason } from '../contract/vocabulary/edi.ts'

/** Hands mails to the mail server. */
export interface Mailer {
  /**
   * Tries to hand a mail over, once. `envelopeId` goes with it, so that a later report names it. Never throws for what a server does: a
   * connection that ends is an outcome as well.
   */
  send(mail: ComposedMail & { readonly envelopeId: string }): Promise<MailOutcome>
  close(): Promise<void>
}

/** What the mail server made of an attempt. */
export interface MailOutcome {
  outcome: EdiOutcome
  /** Why it was neither accepted nor refused. */
  reason?: EdiStuckReason
  /** The reply code, and its enhanced code (RFC 3463), where the server gave them. */
  code?: number
  enhanced?: string
  latency_ms: number
}
