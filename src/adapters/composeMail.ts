import MailComposer from 'nodemailer/lib/mail-composer'
import type MimeNode from 'nodemailer/lib/mime-node'
import { isMailAddress } from '../contract/mailAddress.ts'
import { mimeBytes } from './mimeBytes.ts'

/** A mail with documents. Everything in it is settled before its first attempt, so that every attempt has the same bytes. */
export interface OrderMail {
  message_id: string
  /** The Message-IDs of the earlier mails of the thread, oldest first, without brackets. */
  references: readonly string[]
  date: Date
  from: string
  to: string
  /** The return path, to which bounces go. */
  envelopeFrom: string
  subject: string
  text: string
  headers: Readonly<Record<string, string>>
  documents: readonly { filename: string; contentType: 'application/xml' | 'text/csv'; content: Buffer }[]
}

export interface ComposedMail {
  envelope: { from: string; to: string[] }
  raw: Buffer
}

/**
 * Composes the bytes of a mail; the same mail is always the same bytes. Errors: RangeError for an address that an envelope could take for more
 * than one, TypeError for a document that is not bytes.
 */
export async function composeMail(mail: OrderMail): Promise<ComposedMail> {
  const { from, to, envelopeFrom } = mail
  for (const address of [from, to, envelopeFrom])
    if (!isMailAddress(address)) throw new RangeError('A mail needs one address as local@domain.')
  return { envelope: { from: envelopeFrom, to: [to] }, raw: await mimeBytes(mimeOf(mail)) }
}

/** The parts of a mail, as the library has them. */
export function mimeOf({ message_id, from, to, references, headers, documents, ...mail }: Omit<OrderMail, 'envelopeFrom'>): MimeNode {
  const domain = from.slice(from.indexOf('@') + 1)
  const thread = references.map((id) => `<${id}>`)
  return new MailComposer({
    messageId: `<${message_id}@${domain}>`,
    date: mail.date,
    // An object is one address; a text is read as a list of them.
    from: { name: '', address: from },
    to: { name: '', address: to },
    subject: mail.subject,
    text: mail.text,
    textEncoding: 'quoted-printable',
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value, prepared: PLAIN.test(value) }])),
    ...(thread.length === 0 ? {} : { inReplyTo: thread.at(-1), references: thread }),
    // A text with an encoding is read in that encoding, so a document goes as bytes.
    attachments: documents.map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      content,
      contentTransferEncoding: 'base64',
    })),
    baseBoundary: message_id,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
}

/** Sent as it is: no encoding, and no fold, which some readers take for a space when it comes before the first character. */
const PLAIN = /^(?!.*=\?)[\x21-\x7e][\x20-\x7e]{0,199}$/
