import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A mail in the folder of the sandbox's mailbox. */
export interface MailFile {
  /** The file's name without its extension; ids sort by arrival. */
  readonly mail_id: string
  readonly received_at: string
  /** The part of its Message-ID before the at sign, which is the message_id of an order mail. */
  readonly message_id: string
}

const NAME = /^((\d{13})-\d{6}-(\w{1,64}))\.eml$/

/** Names the file of a mail; `count` orders the mails of one millisecond. */
export function mailFileName(mail: Buffer, at: number, count: number): string {
  const headers = mail.subarray(0, HEADERS).toString('latin1').split('\r\n\r\n', 1)[0] ?? ''
  const [, message_id = 'other'] = /^message-id: <(\w{1,64})@/im.exec(headers) ?? []
  return `${String(at).padStart(13, '0')}-${String(count % 1_000_000).padStart(6, '0')}-${message_id}.eml`
}

const HEADERS = 16_384

/** Returns the mails of the folder, newest first; none if there is no folder. */
export async function listMailFiles(folder: string): Promise<MailFile[]> {
  const names = await readdir(folder).catch(noneIfAbsent([]))
  return names.flatMap((name) => mailOf(name) ?? []).sort((one, other) => (one.mail_id < other.mail_id ? 1 : -1))
}

/** Returns the mail with an id and its bytes; undefined if there is none. */
export async function readMailFile(folder: string, mailId: string): Promise<(MailFile & { raw: Buffer }) | undefined> {
  const mail = mailOf(`${mailId}.eml`)
  const raw = mail && (await readFile(join(folder, `${mail.mail_id}.eml`)).catch(noneIfAbsent(undefined)))
  return mail && raw && { ...mail, raw }
}

function mailOf(name: string): MailFile | undefined {
  const [, mail_id, at, message_id] = NAME.exec(name) ?? []
  if (mail_id === undefined || message_id === undefined) return undefined
  return { mail_id, received_at: new Date(Number(at)).toISOString(), message_id }
}

function noneIfAbsent<None>(none: None): (error: NodeJS.ErrnoException) => None {
  return (error) => {
    if (error.code === 'ENOENT') return none
    throw error
  }
}
