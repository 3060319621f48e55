const NAME = /^((\d{13})-\d{6}-(\w{1,64}))\.eml$/

/** Names the file of a mail so that names sort by arrival; `count` orders those of one millisecond. */
export function mailFileName(mail: Buffer, at: number, count: number): string {
  const headers = mail.subarray(0, HEADERS).toString('latin1').split('\r\n\r\n', 1)[0] ?? ''
  const [, message_id = 'other'] = /^message-id: <(\w{1,64})@/im.exec(headers) ?? []
  return `${String(at).padStart(13, '0')}-${String(count % 1_000_000).padStart(6, '0')}-${message_id}.eml`
}

const HEADERS = 16_384

/** The mails among the files of a folder, oldest first. */
export function orderedMails(names: readonly string[]): string[] {
  return names.filter((name) => NAME.test(name)).sort()
}
