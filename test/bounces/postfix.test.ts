import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type BounceServer, bounceServer } from '../../bounces/server.ts'
import { bounceAddress } from '../../src/adapters/mail/bounceToken.ts'
import { createSmtpMailer } from '../../src/adapters/mail/smtp.ts'
import { platformKey } from '../../src/store/tenants/platformKey.ts'
import { storeMail } from '../support/edi/storedMails.ts'
import { type RealSmtpServer, realSmtpServer } from '../support/mail/realSmtpServer.ts'
import { mailTo, someMail } from '../support/mail/someMail.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'
import { hasPostfix, type Postfix, startPostfix } from './postfix.ts'

if (!hasPostfix) process.stderr.write('postfix.test.ts is left out: there is no Postfix here (apt-get install postfix, as root).\n')

const market = useMarket()
const DOMAIN = 'bounces.marketplace.example'

/** From the marketplace to its relay, from there to an agency that takes no such mail, and the report back to the marketplace. */
;(hasPostfix ? describe : describe.skip)('a mail that comes back through Postfix', () => {
  let agency: RealSmtpServer
  let bounces: BounceServer
  let postfix: Postfix
  let key: Buffer
  const stops: (() => Promise<void>)[] = []
  beforeAll(async () => {
    key = await platformKey(market.deps.db, 'bounce')
    agency = await realSmtpServer({
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('gone') ? Object.assign(new Error('No such user'), { responseCode: 550 }) : null),
    })
    stops.unshift(agency.stop)
    bounces = bounceServer({ db: market.deps.db, log: { info: () => undefined, warn: console.error }, domain: DOMAIN, key })
    await bounces.listen(0, '127.0.0.1')
    stops.unshift(bounces.close)
    postfix = await startPostfix({ 'agency.example': agency.port, [DOMAIN]: bounces.port })
    stops.unshift(postfix.stop)
  })
  afterAll(async () => {
    for (const stop of stops) await stop()
  })

  it('is bounced with the code of the agency; one that arrives stays sent', async () => {
    const order_id = await market.parked()
    let mails = 0
    // On a busy machine its first processes take their time.
    const mailer = createSmtpMailer(mailTo(postfix.port), undefined, { connectMs: 50_000, idleMs: 50_000, attemptMs: 50_000 })
    const sent = async (to: string) => {
      const message_id = await storeMail(market.deps, order_id, { seq: ++mails, to_address: to })
      const mail = await someMail({ message_id, to, envelopeFrom: bounceAddress(message_id, DOMAIN, key) })
      expect(await mailer.send(mail)).toMatchObject({ outcome: 'accepted', code: 250, enhanced: '2.0.0' })
      return message_id
    }
    const [gone, arrived] = [await sent('gone@agency.example'), await sent('billing@agency.example')]
    await mailer.close()
    const statusOf = async (message_id: string) =>
      (await market.owner().query('select status, status_reason from edi_messages where message_id = $1', [message_id])).rows[0]
    await until(async () => (await statusOf(gone)).status !== 'sent' && agency.received.length === 1, 45).catch(async (error) => {
      throw new Error(`${error}\n${await postfix.log()}`)
    })
    expect(await statusOf(gone)).toEqual({ status: 'bounced', status_reason: '5.1.1' })
    expect(await statusOf(arrived)).toEqual({ status: 'sent', status_reason: null })
    // The agency's server had the same bytes, under the headers of the relay.
    const { raw } = await someMail({ message_id: arrived })
    expect(agency.received[0]?.raw.toString().endsWith(raw.subarray(raw.indexOf('\r\n\r\n')).toString())).toBe(true)
  }, 120_000)
})
