import { listMailFiles, readMailFile } from '../../../src/adapters/mail/mailFiles.ts'
import type { SandboxMail, SandboxMailQuery } from '../../../src/contract/sandboxMail.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { readMailSubjects } from '../../../src/store/edi/mailSubjects.ts'
import type { Deps, Handler } from '../../http/handler.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { ok } from '../../http/reply.ts'

/** The sandbox's mailbox, in which each side reads the mails of its own orders. */

/** GET /sandbox/mail. */
export const getSandboxMails: Handler<undefined, SandboxMailQuery> = async (deps, { caller, query }) => {
  const page: Page = { bound: ['sandbox-mail', caller.entity, query.order_id ?? ''], ...query }
  const [before] = positionOf(deps, page) ?? []
  const files = (await listMailFiles(mailboxOf(deps))).filter(({ mail_id }) => before === undefined || mail_id < before)
  const own = await readMailSubjects(
    deps.db,
    files.map(({ message_id }) => message_id),
    query.order_id,
  )
  const mails = files.flatMap((file): SandboxMail[] => {
    const mail = own.get(file.message_id)
    return mail === undefined ? [] : [{ ...file, order_id: mail.order_id, to: mail.to_address, subject: mail.subject }]
  })
  return ok(pageOf(deps, page, mails.slice(0, page.limit + 1), ({ mail_id }) => [mail_id]))
}

/** GET /sandbox/mail/{mail_id}. */
export const getSandboxMail: Handler = async (deps, { params }) => {
  const mail = await readMailFile(mailboxOf(deps), params.mail_id ?? '')
  if (mail === undefined || !(await readMailSubjects(deps.db, [mail.message_id])).has(mail.message_id)) throw noSuchMail()
  const headers = { 'Content-Type': 'message/rfc822', 'Content-Disposition': `attachment; filename="${mail.mail_id}.eml"` }
  return { status: 200, body: mail.raw, headers }
}

function mailboxOf({ mailbox }: Deps): string {
  if (mailbox === undefined) throw new Error('only a sandbox serves its mailbox')
  return mailbox
}

function noSuchMail(): Refusal {
  return new Refusal('NOT_FOUND', 'The mailbox has no such mail of yours.')
}
