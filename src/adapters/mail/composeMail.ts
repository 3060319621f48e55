import MailComposer from 'nodemailer/lib/mail-composer'
import type MimeNode from 'nodemailer/lib/mime-node'
import { isMailAddress } from '../../contract/mailAddress.ts'
import { mimeBytes } from './mimeBytes.ts'

/** A mail with documents. All of its fields are fixed before the first attempt, so every attempt sends the same bytes. */
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
 * Composes the bytes of a mail; the same mail always gives the same bytes. Errors: RangeError for an address that an envelope could read
 * as more than one, TypeError for a document that is not bytes.
 */
export async function composeMail(mail: OrderMail): Promise<ComposedMail> {
  const { from, to, envelopeFrom } = mail
  for (const address of [from, to, envelopeFrom])
    if (!isMailAddress(address)) throw new RangeError('A mail needs one address as local@domain.')
  return { envelope: { from: envelopeFrom, to: [to] }, raw: await mimeBytes(mimeOf(mail)) }
}

/** Returns the parts of a mail in the library's form. */
export function mimeOf({ message_id, from, to, references, headers, documents, ...mail }: Omit<OrderMail, 'envelopeFrom'>): MimeNode {
  const domain = from.slice(from.indexOf('@') + 1)
  const thread = references.map((id) => `<${id}>`)
  return new MailComposer({
    messageId: `<${message_id}@${domain}>`,
    date: mail.date,
    // The library reads an object as one address, but a text as a list of addresses.
    from: { name: '', address: from },
    to: { name: '', address: to },
    subject: mail.subject,
    text: mail.text,
    textEncoding: 'quoted-printable',
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value, prepared: PLAIN.test(value) }])),
    ...(thread.length === 0 ? {} : { inReplyTo: thread.at(-1), references: thread }),
    // The library decodes a text that has an encoding, so a document is passed as bytes.
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

/** A value that is sent unchanged: not encoded, nor folded, since some readers take a fold before the first character for a space. */
const PLAIN = /^(?!.*=\?)[\x21-\x7e][\x20-\x7e]{0,199}$/
