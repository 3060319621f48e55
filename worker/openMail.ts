import { bounceAddress } from '../src/adapters/mail/bounceToken.ts'
import { readDkimKey } from '../src/adapters/mail/dkimKey.ts'
import { createSmtpMailer } from '../src/adapters/mail/smtp.ts'
import type { MailSettings } from '../src/config/index.ts'
import type { MailDeps, MailIdentity } from '../src/operations/edi/mailDeps.ts'
import { openRenderer } from '../src/operations/edi/renderer.ts'
import { type MailSender, openMailSender } from '../src/operations/edi/sendMails.ts'
import { platformKey } from '../src/store/tenants/platformKey.ts'
import { mailingInActivities } from './inActivity.ts'

/** Sends order mail in this process. */
export interface OpenMail {
  readonly sender: MailSender
  /** Closes the connections once nothing is sent any more. */
  close(): Promise<void>
}

/** Opens the configured mail server, to which it connects when mails are due; undefined if none is configured. Errors: ConfigFault. */
export async function openMail(
  settings: MailSettings | undefined,
  deps: Pick<MailDeps, 'db' | 'log' | 'logger'>,
): Promise<OpenMail | undefined> {
  if (settings === undefined) return undefined
  const mailer = mailingInActivities(createSmtpMailer(settings, await readDkimKey(settings)))
  const renderer = openRenderer()
  const sender = openMailSender({ ...deps, mailer, renderer, identity: await identityOf(settings, deps) })
  return {
    sender,
    async close() {
      await Promise.all([mailer.close(), renderer.close()])
    },
  }
}

async function identityOf({ from, bounceDomain }: MailSettings, { db }: Pick<MailDeps, 'db'>): Promise<MailIdentity> {
  if (bounceDomain === undefined) return { from, returnPath: () => from }
  const key = await platformKey(db, 'bounce')
  return { from, returnPath: (message_id) => bounceAddress(message_id, bounceDomain, key) }
}
