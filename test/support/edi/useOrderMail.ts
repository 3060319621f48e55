import { afterAll, beforeAll } from '@jest/globals'
import type { Market } from '../market.ts'
import type { Used } from '../useMarket.ts'
import { type MailServer, startMailServer } from './mailServer.ts'
import { type OrderMail, orderMail, smtpMailer } from './orderMail.ts'

/** Gives a file the order mail of its market, and the mail server that takes it. */
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
