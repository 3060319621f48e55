import { expect } from '@jest/globals'
import type pg from 'pg'
import type { Mailer } from '../../../src/adapters/mail/mailer.ts'
import { createSmtpMailer } from '../../../src/adapters/mail/smtp.ts'
import { openRenderer } from '../../../src/operations/edi/renderer.ts'
import { type MailSender, openMailSender } from '../../../src/operations/edi/sendMails.ts'
import { closeOrder } from '../../../src/operations/orders/closeOrder.ts'
import type { Market } from '../market.ts'
import { readMail, type TakenMail } from './mailServer.ts'

export const FROM = 'orders@marketplace.example.com'
export const TO = 'billing@agency.example.com'

/** The steps of order mail that tests perform on a market, in place of the workflows. */
export interface OrderMail {
  readonly sender: MailSender
  /** Grants an agreement with a mail address; an empty `edi` removes the address. */
  agree(agreement_id: string, edi?: Record<string, unknown>): Promise<void>
  /** Places an order under an agreement and closes it as its workflow does. */
  placed(agreement_id: string, more?: Record<string, unknown>): Promise<string>
  cancel(order_id: string): Promise<void>
  close(order_id: string): Promise<void>
  /** Returns the rows of an agreement in the order of their threads. */
  messages(agreement_id: string): Promise<MessageRow[]>
  /** Returns the document, the status and the status reason of each row. */
  outcomes(agreement_id: string): Promise<[document: string, status: string, status_reason: string | null][]>
  /** Returns the attempts of a mail, in order. */
  attempts(message_id: string): Promise<Record<string, unknown>[]>
  /** Makes all waiting mails due now; a worker keeps the mails that it is sending. */
  makeDue(): Promise<void>
  /** Makes all waiting mails due now and takes them from the workers that hold them, as if these had died two minutes ago. */
  takeOver(): Promise<void>
}

export interface MessageRow extends Record<string, unknown> {
  message_id: string
  order_id: string
  document: string
  status: string
  status_reason: string | null
  attempts: number
}

/** Returns the product's own mailer for a test's server. */
export function smtpMailer(port: number): Mailer {
  const server = { host: '127.0.0.1', port, tls: 'off', auth: undefined } as const
  return createSmtpMailer({ server, from: FROM, bounceDomain: undefined, dkim: undefined }, undefined)
}

/** Expects that each mail of these threads was sent exactly once or skipped, and that each thread is in order. */
export async function expectMailedOnce(rows: readonly MessageRow[], taken: readonly TakenMail[]): Promise<void> {
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['sent', 'skipped']))
  const sent = rows.filter(({ status }) => status === 'sent')
  const ids = (await Promise.all(taken.map(readMail))).map(({ messageId }) => messageId as string)
  expect(ids.toSorted()).toEqual(sent.map(({ message_ref }) => `<${message_ref}>`).toSorted())
  const place = new Map(ids.map((id, index) => [id, index]))
  const last = new Map<unknown, number>()
  for (const { thread, message_ref } of sent) {
    const at = place.get(`<${message_ref}>`) as number
    expect(at).toBeGreaterThan(last.get(thread) ?? -1)
    last.set(thread, at)
  }
}

export const errors: { message: string; meta: Record<string, unknown> }[] = []

export function orderMail(
  market: Market & { owner(): pg.Pool },
  mailer: Mailer,
  renderer = openRenderer(),
  leaseMs?: number,
): OrderMail & { stop(): Promise<void> } {
  const { db, orders: log } = market.deps
  const logger = { warn: () => undefined, error: (message: string, meta = {}) => void errors.push({ message, meta }) }
  const identity = { from: FROM, returnPath: (message_id: string) => `edi+${message_id}.0123456789@bounces.example.com` }
  const sender = openMailSender({ db, log, mailer, identity, renderer, logger }, leaseMs)
  const close = async (order_id: string) => void (await closeOrder(log, db, order_id))
  const expectStatus = ({ status, text }: { status: number; text: string }, ...wanted: number[]) => {
    if (!wanted.includes(status)) throw new Error(`expected ${wanted}, got ${status} ${text}`)
  }
  const messages = async (agreement_id: string): Promise<MessageRow[]> =>
    (await market.owner().query('select * from edi_messages where agreement_id = $1 order by message_no', [agreement_id])).rows
  return {
    sender,
    async agree(agreement_id, edi = { to: TO }) {
      const effective = { start: '2020-01-01', end: '2099-12-31' }
      const body = { buyer_entity: 'acme', effective, ...(Object.keys(edi).length === 0 ? {} : { edi }) }
      expectStatus(await market.cable.put(`/me/agreements/${agreement_id}`, body), 200, 201)
    },
    async placed(agreement_id, more = {}) {
      const order_id = await market.placed({ agreement_id, ...more })
      await close(order_id)
      return order_id
    },
    async cancel(order_id) {
      expectStatus(await market.acme.post(`/orders/${order_id}/cancel`, {}), 200, 202)
      await close(order_id)
    },
    close,
    messages,
    outcomes: async (agreement_id) =>
      (await messages(agreement_id)).map(({ document, status, status_reason }) => [document, status, status_reason]),
    attempts: async (message_id) =>
      (await market.owner().query('select n, outcome, reason, code from edi_attempts where message_id = $1 order by n', [message_id])).rows,
    async makeDue() {
      await market.owner().query(`update edi_messages set due_at = now() where status = 'queued'`)
    },
    async takeOver() {
      await market.owner().query(`update edi_messages set due_at = now(), leased_until = null where status = 'queued'`)
    },
    async stop() {
      sender.stop()
      await renderer.close()
      await mailer.close()
    },
  }
}
