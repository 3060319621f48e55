import { afterMailAttempt, mayHaveGone } from '../domain/edi/afterMailAttempt.ts'
import { readContent } from '../store/edi/mailContents.ts'
import { beginAttempt, type ClaimedMail, endAttempt } from '../store/edi/mailQueue.ts'
import { composeOrderMail } from './composeOrderMail.ts'
import { freezeMail } from './freezeMail.ts'
import type { MailDeps } from './mailDeps.ts'
import type { MailOutcome } from './mailer.ts'

/** Attempts a mail once, and writes down what became of it. The attempt is counted before it is made: a process that dies leaves it counted. */
export async function attemptMail(deps: MailDeps, mail: ClaimedMail): Promise<void> {
  const composed = mail.attempts === 0 ? await freezeMail(deps, mail) : await composeAgain(deps, mail)
  if (composed === undefined) return
  const at = new Date().toISOString()
  await writeDown(deps, mail, at, await deps.mailer.send({ ...composed, envelopeId: mail.message_id }))
}

/** Composes the same bytes as before; undefined when another process has the mail by now. */
async function composeAgain(deps: MailDeps, mail: ClaimedMail) {
  const content = await readContent(deps.db, mail.message_id)
  const composed = content && (await composeOrderMail(deps, mail, content))
  if (composed === undefined || 'invalid' in composed) throw new Error(`The mail ${mail.message_id} was attempted and cannot be composed.`)
  return (await beginAttempt(deps.db, mail)) ? composed : undefined
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
