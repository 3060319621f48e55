import type { ComposedMail } from '../../adapters/mail/composeMail.ts'
import { TaskLost } from '../../adapters/processes/taskThread.ts'
import { forDocument } from '../../domain/edi/forDocument.ts'
import { countRenderFailure, endUnsent } from '../../store/edi/mailAttempts.ts'
import type { NewContent } from '../../store/edi/mailContents.ts'
import type { ClaimedMail } from '../../store/edi/mailQueue.ts'
import type { MailDeps } from './mailDeps.ts'
import type { ContentPlan } from './planContents.ts'
import type { InvalidRendering, MadeMail, RenderTask } from './renderer.ts'

/** A mail that is ready to be sent. */
export interface MadeContent {
  readonly composed: ComposedMail
  /** The content to freeze before sending; undefined if it is already frozen. */
  readonly content: NewContent | undefined
}

type Makeable = Exclude<ContentPlan, { ended: unknown }>

/** Makes the bytes of a mail. Returns undefined if the mail ends unsent or cannot be made; that is recorded. */
export async function makeMail(deps: MailDeps, mail: ClaimedMail, plan: ContentPlan): Promise<MadeContent | undefined> {
  const { db, renderer } = deps
  if ('ended' in plan) return void (await endUnsent(db, mail.message_id, plan.ended, plan.status_reason))
  const made = await renderer.make(taskOf(deps, mail, plan)).catch((error) => {
    if (error instanceof TaskLost) return { lost: error.message }
    throw error
  })
  if (!('composed' in made)) return void (await giveUp(deps, mail, made))
  const { envelope, raw } = made.composed
  // Sending a message between threads turns a Buffer into a Uint8Array.
  const composed = { envelope, raw: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength) }
  return { composed, content: mail.is_frozen ? undefined : contentOf(mail, plan, made) }
}

function taskOf({ identity }: MailDeps, { message_id, created_at }: ClaimedMail, plan: Makeable): RenderTask {
  const { sender, to_address, refs } = 'content' in plan ? plan.content : plan.envelope
  const mail = { message_id, references: refs, date: new Date(created_at), from: sender, to: to_address }
  const from = 'content' in plan ? { document: plan.content } : { source: { ...plan.source, order: forDocument(plan.source.order) } }
  return { mail: { ...mail, envelopeFrom: identity.returnPath(message_id) }, from }
}

/** Returns the content of a mail. A document that is sent again is stored only with its first mail. */
function contentOf({ message_id }: ClaimedMail, plan: Makeable, { document }: MadeMail): NewContent {
  if ('content' in plan) return { ...plan.content, message_id, made: undefined }
  const { terms, descriptors } = plan.source
  return { ...document, ...plan.envelope, message_id, made: { ...document, terms, descriptors } }
}

/** The most failed attempts to render a mail. The cause may pass, but each attempt delays the other mails by some seconds. */
const RENDER_FAILURES = 3

async function giveUp(
  { db, logger }: MailDeps,
  { message_id, is_frozen }: ClaimedMail,
  why: InvalidRendering | { readonly lost: string },
): Promise<void> {
  if ('invalid' in why && !is_frozen) {
    logger.error('an order document fails its own check and is not sent', { message_id, ...why })
    return endUnsent(db, message_id, 'failed', `invalid_document:${why.invalid}`)
  }
  const isFailed = await countRenderFailure(db, message_id, RENDER_FAILURES, 'invalid_document:thread')
  logger.error(isFailed ? 'an order mail cannot be made and is not sent' : 'an order mail cannot be made now', { message_id, ...why })
}
