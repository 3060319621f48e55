import type { ComposedMail, OrderMail } from '../adapters/composeMail.ts'
import type { MailContent } from '../store/edi/mailContents.ts'
import type { ClaimedMail } from '../store/edi/mailQueue.ts'
import type { MailDeps } from './mailDeps.ts'
import type { InvalidRendering } from './renderer.ts'

/** Composes the bytes of a mail from what is frozen of it. */
export async function composeOrderMail(
  { renderer, identity }: Pick<MailDeps, 'renderer' | 'identity'>,
  { message_id, created_at }: Pick<ClaimedMail, 'message_id' | 'created_at'>,
  content: MailContent,
): Promise<ComposedMail | InvalidRendering> {
  const { sender, to_address, refs, subject, text, headers } = content
  const composed = await renderer.compose({
    ...{ message_id, references: refs, date: new Date(created_at), from: sender, to: to_address },
    ...{ envelopeFrom: identity.returnPath(message_id), subject, text, headers, documents: documentsOf(content) },
  })
  return 'invalid' in composed ? composed : { ...composed, raw: bufferOf(composed.raw) }
}

function documentsOf({ scx, csv, filename }: MailContent): OrderMail['documents'] {
  const stem = filename.slice(0, filename.lastIndexOf('.'))
  return [
    ...(scx === null ? [] : [{ filename: `${stem}.scx`, contentType: 'application/xml', content: bufferOf(scx) } as const]),
    ...(csv === null ? [] : [{ filename: `${stem}.csv`, contentType: 'text/csv', content: bufferOf(csv) } as const]),
  ]
}

/** A message between threads turns a Buffer into plain bytes. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
