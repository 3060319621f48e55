import type MimeNode from 'nodemailer/lib/mime-node'
import * as quotedPrintable from 'nodemailer/lib/qp'

/**
 * Returns the bytes that `build` makes of a mail, with CRLF line ends. The library passes each part through streams, which costs several
 * times as much as the work itself, so this uses only its headers and encodings. Errors: TypeError for a content that is not in memory.
 */
export async function mimeBytes(mail: MimeNode): Promise<Buffer> {
  if ([mail, ...mail.childNodes].some(isSplit)) return mail.build()
  return Buffer.from(textOf(mail), 'utf8')
}

/** Returns true for a text that the library encodes in pieces, since the pieces then decide where it breaks lines. */
function isSplit({ content }: MimeNode): boolean {
  return typeof content === 'string' && (content.length > LONGEST || !content.endsWith('\n'))
}

/** A third of the bytes that the library encodes at once. */
const LONGEST = 21_000

function textOf(node: MimeNode): string {
  const encoding = node.getTransferEncoding()
  // Building the headers also fixes the boundary.
  const headers = withWindowsEnds(node.buildHeaders())
  if (!node.multipart) return `${headers}\r\n\r\n${encoded(node.content, encoding)}`
  const parts = node.childNodes.map((part) => `--${node.boundary}\r\n${textOf(part)}\r\n`)
  return `${headers}\r\n\r\n${parts.join('')}--${node.boundary}--\r\n`
}

function encoded(content: MimeNode['content'], encoding: string | false): string {
  if (typeof content !== 'string' && !Buffer.isBuffer(content)) throw new TypeError('A part of a mail must be text or bytes.')
  if (encoding === 'base64') return base64Lines(typeof content === 'string' ? Buffer.from(content) : content)
  return withWindowsEnds(encoding === 'quoted-printable' ? quotedPrintable.wrap(quotedPrintable.encode(content)) : content.toString())
}

const LINE_LENGTH = 76

/** Encodes a content with the library's line breaks; the library's own way of breaking lines takes several times as long. */
function base64Lines(content: Buffer): string {
  const text = content.toString('base64')
  const lines: string[] = []
  for (let at = 0; at < text.length; at += LINE_LENGTH) lines.push(text.slice(at, at + LINE_LENGTH))
  return lines.join('\r\n')
}

function withWindowsEnds(text: string): string {
  return text.replace(/\r?\n/g, '\r\n')
}
