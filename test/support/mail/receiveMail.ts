import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mailFileName } from '../../../src/adapters/mail/mailFiles.ts'
import type { TestApp } from '../http/app.ts'

/** Puts a mail into an app's mailbox as the sandbox's mail server does; returns its mail_id. */
export async function receiveMail({ dataDir }: Pick<TestApp, 'dataDir'>, message_id: string, at = Date.now()): Promise<string> {
  const head = `Message-ID: <${message_id}@marketplace.example>\r\nSubject: CONFIRMED\r\n`
  const raw = Buffer.from(`${head}\r\nbyte \x00\xff for byte\r\n`, 'latin1')
  const name = mailFileName(raw, at, 0)
  await mkdir(join(dataDir, 'mail'), { recursive: true })
  await writeFile(join(dataDir, 'mail', name), raw)
  return name.replace(/\.eml$/, '')
}
