import type { MailOutcome } from '../../adapters/mail/mailer.ts'
import { afterMailAttempt, mayHaveGone } from '../../domain/edi/afterMailAttempt.ts'
import { beginAttempt, endAttempt, takeBackAttempt } from '../../store/edi/mailAttempts.ts'
import { freezeContent } from '../../store/edi/mailContents.ts'
import type { ClaimedMail } from '../../store/edi/mailQueue.ts'
import type { MailDeps } from './mailDeps.ts'
import type { MadeContent } from './makeMail.ts'

/** Resolves with the function that ends the turn; undefined if no turn will come. */
export type TakeTurn = () => Promise<(() => void) | undefined>

/**
 * Attempts a mail once and records the outcome, which it returns; undefined if nothing was sent. The attempt is counted before it is made, so it still counts if the process dies. Nothing
 * is sent if another process has taken over the mail.
 */
export async function attemptMail(
  deps: MailDeps,
  mail: ClaimedMail,
  { composed, content }: MadeContent,
  takeTurn: TakeTurn,
): Promise<MailOutcome | undefined> {
  const { db, mailer } = deps
  if (!(content === undefined ? await beginAttempt(db, mail) : await freezeContent(db, content))) return undefined
  const endTurn = await takeTurn()
  if (endTurn === undefined) {
    await takeBackAttempt(db, mail)
    return undefined
  }
  const at = new Date().toISOString()
  const outcome = await mailer.send({ ...composed, envelopeId: mail.message_id }).finally(endTurn)
  await writeDown(deps, mail, at, outcome)
  return outcome
}

async function writeDown(
  { db }: MailDeps,
  { message_id, attempts, first_attempt_at, may_have_gone }: ClaimedMail,
  at: string,
  { outcome, reason, code, enhanced, latency_ms }: MailOutcome,
): Promise<void> {
  const n = attempts + 1
  const attempt = { outcome, reason, made: n, firstAt: Date.parse(first_attempt_at ?? at), endedAt: Date.now() }
  const fate = afterMailAttempt(attempt, Math.random())
  await endAttempt(db, {
    ...{
      message_id,
      n,
      at,
      outcome,
      reason: reason ?? null,
      code: code ?? null,
      enhanced: enhanced ?? null,
      latency_ms: Math.round(latency_ms),
    },
    status: fate.status,
    status_reason: fate.status === 'failed' ? fate.status_reason : null,
    stuck: fate.status === 'queued' ? fate.stuck : null,
    due_at: fate.status === 'queued' ? new Date(fate.due).toISOString() : null,
    may_have_gone: may_have_gone || mayHaveGone(attempt),
  })
}
