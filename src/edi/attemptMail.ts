import type { ComposedMail } from '../adapters/composeMail.ts'
import { afterMailAttempt, mayHaveGone } from '../domain/edi/afterMailAttempt.ts'
import { beginAttempt, countRenderFailure, endAttempt, endUnsent, takeBackAttempt } from '../store/edi/mailAttempts.ts'
import { freezeContent } from '../store/edi/mailContents.ts'
import type { ClaimedMail } from '../store/edi/mailQueue.ts'
import type { MailDeps } from './mailDeps.ts'
import type { MailOutcome } from './mailer.ts'
import type { ContentPlan } from './planContents.ts'
import { type InvalidRendering, type MadeMail, RenderingLost, type RenderTask } from './renderer.ts'

/** Resolves with the function that ends the turn; undefined when no turn comes any more. */
export type TakeTurn = () => Promise<(() => void) | undefined>

/** Attempts a mail once, and writes down what became of it. The attempt is counted before it is made: a process that dies leaves it counted. */
export async function attemptMail(deps: MailDeps, mail: ClaimedMail, plan: ContentPlan, takeTurn: TakeTurn): Promise<void> {
  const { db, mailer } = deps
  const { message_id } = mail
  if ('ended' in plan) return endUnsent(db, message_id, plan.ended, plan.status_reason)
  const composed = await compose(deps, mail, plan)
  if (composed === undefined) return
  const endTurn = await takeTurn()
  if (endTurn === undefined) return takeBackAttempt(db, mail)
  const at = new Date().toISOString()
  const outcome = await mailer.send({ ...composed, envelopeId: message_id }).finally(endTurn)
  await writeDown(deps, mail, at, outcome)
}

/** Makes the bytes of a mail, and counts its attempt. Undefined when it cannot be made, or another process has it by now. */
async function compose(
  deps: MailDeps,
  mail: ClaimedMail,
  plan: Exclude<ContentPlan, { ended: unknown }>,
): Promise<ComposedMail | undefined> {
  const { db, renderer } = deps
  const made = await renderer.make(taskOf(deps, mail, plan)).catch((error) => {
    if (error instanceof RenderingLost) return { lost: error.message }
    throw error
  })
  if (!('composed' in made)) return void (await giveUp(deps, mail, made))
  if (!(mail.is_frozen ? await beginAttempt(db, mail) : await freezeContent(db, { message_id: mail.message_id, ...frozen(plan, made) })))
    return
  const { envelope, raw } = made.composed
  return { envelope, raw: bufferOf(raw) }
}

function taskOf(
  { identity }: MailDeps,
  { message_id, created_at }: ClaimedMail,
  plan: Exclude<ContentPlan, { ended: unknown }>,
): RenderTask {
  const { sender, to_address, refs } = 'content' in plan ? plan.content : plan.envelope
  const mail = { message_id, references: refs, date: new Date(created_at), from: sender, to: to_address }
  const from = 'content' in plan ? { document: plan.content } : { source: plan.source }
  return { mail: { ...mail, envelopeFrom: identity.returnPath(message_id) }, from }
}

/** The document of a mail that is sent again is kept with the first one. */
function frozen(plan: Exclude<ContentPlan, { ended: unknown }>, { document }: MadeMail) {
  if ('content' in plan) return { ...plan.content, made: undefined }
  const { terms, descriptors } = plan.source
  return { ...document, ...plan.envelope, made: { ...document, terms, descriptors } }
}

/** A mail that ended the thread is tried again, since the reason may pass, but not for ever: each end costs the mails beside it their time. */
const RENDER_FAILURES = 3

async function giveUp(
  { db, logger }: MailDeps,
  { message_id, is_frozen }: ClaimedMail,
  why: InvalidRendering | { lost: string },
): Promise<void> {
  if ('invalid' in why && !is_frozen) {
    logger.error('an order document fails its own check and is not sent', { message_id, ...why })
    return endUnsent(db, message_id, 'failed', `invalid_document:${why.invalid}`)
  }
  const isFailed = await countRenderFailure(db, message_id, RENDER_FAILURES, 'invalid_document:thread')
  logger.error(isFailed ? 'an order mail cannot be made and is not sent' : 'an order mail cannot be made now', { message_id, ...why })
}

/** A message between threads turns a Buffer into plain bytes. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
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
