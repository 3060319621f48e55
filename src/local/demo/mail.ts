import { setTimeout as sleep } from 'node:timers/promises'
import type { EdiMail } from '../../contract/edi.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import { DemoFault } from './demoFault.ts'
import { line, table } from './story.ts'

/** The address that receives the documents of the buyer's orders. */
const BILLING = 'billing@northlight.example'

/** Grants an agreement that names the mail address for documents of the buyer's orders. Returns the agreement's id. */
export async function agreeOnMail(seller: string, buyer: string, asSeller: Operations): Promise<string> {
  const agreement_id = `agr-${seller}-${buyer}`
  const year = new Date().getUTCFullYear()
  const { status, body } = await asSeller.grantAgreement({
    path: { agreement_id },
    body: {
      buyer_entity: buyer,
      effective: { start: `${year}-01-01`, end: `${year + 1}-12-31` },
      edi: { to: BILLING, formats: ['scx', 'csv'] },
    },
  })
  line()
  line(`PUT /v1/me/agreements/${agreement_id}   ${status}: documents of orders under it go to ${body.edi?.to}`)
  return agreement_id
}

/** Waits for the mail of a placed order and prints its record as both sides read it. */
export async function tellMail(orderId: string, asBuyer: Operations, signal: AbortSignal): Promise<void> {
  const mail = await untilSent(orderId, asBuyer, signal)
  line(`GET /v1/orders/${orderId}/edi`)
  table(
    ['document', 'status', 'to', 'Message-ID', 'attempts'],
    [[mail.document, mail.status, mail.to ?? '', mail.message_ref ?? '', String(mail.attempts.length)]],
  )
  await tellCaptured(orderId, asBuyer)
  const { body } = await asBuyer.getEdiDocument({ path: { order_id: orderId, message_id: mail.message_id } })
  line()
  line(`GET /v1/orders/${orderId}/edi/${mail.message_id}/document   ${mail.filename}, ${Buffer.byteLength(body)} bytes; of it`)
  for (const name of ['estimate', 'totals']) for (const text of firstElement(body, name)) line(text)
}

/** Prints the mail from the sandbox's mailbox, or nothing if SMTP_URL names another mail server. */
async function tellCaptured(orderId: string, asBuyer: Operations): Promise<void> {
  const [captured] = (await asBuyer.listSandboxMails({ query: { order_id: orderId } })).body.items
  if (captured === undefined) return
  const { body: raw } = await asBuyer.getSandboxMail({ path: { mail_id: captured.mail_id } })
  const [headers = ''] = raw.split('\r\n\r\n', 1)
  line()
  line(`GET /v1/sandbox/mail/${captured.mail_id}   ${raw.length} characters; its headers`)
  for (const text of headers.split('\r\n')) line(`   ${text}`)
}

/** Returns the lines of the first element of a name; the first of several totals is that of the whole order. */
function firstElement(document: string, name: string): string[] {
  const lines = document.split('\n')
  const begin = lines.findIndex((text) => text.trim() === `<${name}>`)
  const end = lines.findIndex((text, index) => index > begin && text.trim() === `</${name}>`)
  return lines.slice(begin, end + 1)
}

async function untilSent(orderId: string, asBuyer: Operations, signal: AbortSignal): Promise<EdiMail> {
  const deadline = Date.now() + PATIENCE_MS
  while (Date.now() < deadline) {
    const { items } = (await asBuyer.listEdiMails({ path: { order_id: orderId } })).body
    const [mail] = items
    if (mail?.status === 'sent') return mail
    if (mail?.status === 'failed') throw new DemoFault(`The mail of the order failed: ${mail.status_reason}.`)
    await sleep(POLL_MS, undefined, { signal })
  }
  throw new DemoFault(`The mail of the order was not sent within ${PATIENCE_MS / 1_000} s; GET /v1/orders/${orderId}/edi says why.`)
}

const PATIENCE_MS = 60_000
const POLL_MS = 250
