import { afterAll, beforeAll, beforeEach } from '@jest/globals'
import type { Market } from '../market.ts'
import type { Used } from '../useMarket.ts'
import { type MailServer, startMailServer } from './mailServer.ts'
import { type OrderMail, orderMail, smtpMailer } from './orderMail.ts'

/** Provides the order mail of a market and the mail server that accepts it. */
export function useOrderMail(market: Market & Used): OrderMail & { readonly server: MailServer } {
  const use = {} as ReturnType<typeof orderMail> & { server: MailServer }
  beforeAll(async () => {
    const server = await startMailServer()
    Object.assign(use, { server }, orderMail(market, smtpMailer(server.port)))
  })
  market.beforeStop(() => use.stop())
  afterAll(() => use.server.stop())
  return use
}

/** Begins each test with a new agreement, whose id is passed to `begin`, and with a mail server that accepts mails and has none yet. */
export function useAgreement(mail: OrderMail & { readonly server: MailServer }, begin: (agreement: string) => void): void {
  let made = 0
  beforeEach(async () => {
    made += 1
    await mail.agree(`agr-${made}`)
    mail.server.treat(() => 'accept')
    mail.server.refuseRecipients(undefined)
    mail.server.taken.length = 0
    mail.server.read.length = 0
    begin(`agr-${made}`)
  })
}
