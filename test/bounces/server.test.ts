import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { LIMITS } from '../../bounces/limits.ts'
import { type BounceServer, bounceServer } from '../../bounces/server.ts'
import { bounceAddress } from '../../src/adapters/mail/bounceToken.ts'
import { type Database, openTenantDatabase } from '../../src/store/connection/database.ts'
import { scopeKey } from '../../src/store/connection/scopeKey.ts'
import { platformKey } from '../../src/store/tenants/platformKey.ts'
import { storeMail } from '../support/edi/storedMails.ts'
import { dsn } from '../support/mail/dsn.ts'
import { handOver, smtpDialog } from '../support/mail/smtpDialog.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const DOMAIN = 'bounces.marketplace.example'
const log = { info: () => undefined, warn: () => undefined }
let db: Database
let key: Buffer
let server: BounceServer
let order_id: string
let mails = 0
beforeAll(async () => {
  // As the process has it: in the scope of no tenant.
  db = openTenantDatabase(market.databaseUrl, scopeKey(market.secretsKey), { max: 2 })
  key = await platformKey(db, 'bounce')
  server = bounceServer({ db, log, domain: DOMAIN, key })
  await server.listen(0, '127.0.0.1')
  order_id = await market.parked()
})
afterAll(async () => {
  await server.close()
  await db.close()
})

/** A mail of the order. */
const stored = (more: Parameters<typeof storeMail>[2] = {}) => storeMail(market.deps, order_id, { seq: ++mails, ...more })
const row = async (message_id: string) =>
  (await market.owner().query('select * from edi_messages where message_id = $1', [message_id])).rows[0]
const returned = (message_id: string, mail = dsn()) => handOver(server.port, bounceAddress(message_id, DOMAIN, key), mail)

describe('a bounce', () => {
  it('moves a mail from sent to bounced with its code, and changes nothing else', async () => {
    const message_id = await stored()
    const before = await row(message_id)
    const snapshot = await market.snapshot(order_id)
    expect(await returned(message_id)).toEqual([expect.stringMatching(/^250 /), expect.stringMatching(/^250 /)])
    const after = await row(message_id)
    expect(after).toEqual({ ...before, status: 'bounced', status_reason: '5.1.1', bounced_at: expect.any(Date) })
    expect(await market.snapshot(order_id)).toEqual(snapshot)

    await returned(message_id, dsn({ status: '5.7.1' }))
    expect(await row(message_id)).toEqual(after)
  })

  it.each(['failed', 'skipped', 'bounced'] as const)('changes nothing of a mail that is %s', async (status) => {
    const message_id = await stored({ status, status_reason: 'refused' })
    const before = await row(message_id)
    expect(await returned(message_id)).toEqual([expect.stringMatching(/^250 /), expect.stringMatching(/^250 /)])
    expect(await row(message_id)).toEqual(before)
  })

  it('is asked for once more while the mail is not yet known to be sent', async () => {
    const message_id = await stored({ status: 'queued' })
    expect(await returned(message_id)).toEqual([expect.stringMatching(/^250 /), expect.stringMatching(/^451 /)])
    await market.owner().query(`update edi_messages set status = 'sent' where message_id = $1`, [message_id])
    expect((await returned(message_id))[1]).toMatch(/^250 /)
    expect(await row(message_id)).toMatchObject({ status: 'bounced' })
  })

  it.each([
    ['a delay', dsn({ action: 'delayed', status: '4.4.1' })],
    ['a delivery', dsn({ action: 'delivered', status: '2.0.0' })],
    ['an answer of a person', 'From: billing@agency.example\r\nSubject: Re: CONFIRMED\r\n\r\nThank you\r\n'],
    ['malformed MIME', 'Content-Type: multipart/report; boundary="\r\n\r\n--\r\n\r\n\x00\xff'],
    ['nothing', ''],
  ])('is taken, and changes nothing, when it is %s', async (_what, mail) => {
    const message_id = await stored()
    const before = await row(message_id)
    expect((await returned(message_id, mail))[1]).toMatch(/^250 /)
    expect(await row(message_id)).toEqual(before)
  })

  it('is taken for a mail that does not exist', async () => {
    expect((await returned('edi_00000000000000000000000000'))[1]).toMatch(/^250 /)
  })

  it('is asked for once more while the database is away', async () => {
    const away = openTenantDatabase('postgres://nobody@127.0.0.1:9/none', scopeKey(market.secretsKey), { max: 1 })
    const lonely = bounceServer({ db: away, log, domain: DOMAIN, key })
    await lonely.listen(0, '127.0.0.1')
    expect(await handOver(lonely.port, bounceAddress('edi_01', DOMAIN, key), dsn())).toEqual([
      expect.stringMatching(/^250 /),
      expect.stringMatching(/^451 /),
    ])
    await lonely.close()
    await away.close()
  })
})

describe('a recipient', () => {
  it('is refused unless it is a return path that the platform made', async () => {
    const message_id = await stored()
    const own = bounceAddress(message_id, DOMAIN, key)
    const forged = [
      bounceAddress(message_id, DOMAIN, randomBytes(32)),
      own.replace(/.@/, own.at(own.indexOf('@') - 1) === '0' ? '1@' : '0@'),
      own.replace(DOMAIN, 'agency.example'),
      `edi+${message_id}@${DOMAIN}`,
      `postmaster@${DOMAIN}`,
      `"${own}"@agency.example`,
      `edi+${"'; drop table edi_messages; --"}.0123456789@${DOMAIN}`.replaceAll(' ', '_'),
    ]
    const replies = await Promise.all(forged.map(async (address) => (await handOver(server.port, address, dsn()))[0]))
    for (const reply of replies) expect(reply).toMatch(/^5\d\d /)
    expect(replies[0]).toMatch(/^550 /)
    expect(await row(message_id)).toMatchObject({ status: 'sent' })
  })

  it('may be one of a mail', async () => {
    const [one, other] = [await stored(), await stored()]
    const dialog = await smtpDialog(server.port)
    await dialog.say('EHLO relay.example')
    await dialog.say('MAIL FROM:<>')
    expect(await dialog.say(`RCPT TO:<${bounceAddress(one, DOMAIN, key)}>`)).toMatch(/^250 /)
    expect(await dialog.say(`RCPT TO:<${bounceAddress(other, DOMAIN, key)}>`)).toMatch(/^452 /)
    dialog.end()
  })
})

describe('a mail that is too large', () => {
  const large = `${dsn()}${'x'.repeat(70)}\r\n`.padEnd(1_048_576, `${'x'.repeat(70)}\r\n`)

  it('is refused by 552 as it is announced, and as it is sent', async () => {
    const message_id = await stored()
    const to = bounceAddress(message_id, DOMAIN, key)
    expect(await handOver(server.port, to, large, { size: ` SIZE=${large.length}` })).toEqual([expect.stringMatching(/^552 /)])
    expect((await handOver(server.port, to, large))[1]).toMatch(/^552 /)
    expect(await row(message_id)).toMatchObject({ status: 'sent' })
  })
})

describe('what strangers may hold', () => {
  it('is some connections of a network, and some in all: the quietest of the network with most gives way to a newcomer', async () => {
    const bounded = bounceServer({ db, log, domain: DOMAIN, key }, { ...LIMITS, connections: 6, perSource: 3 })
    await bounded.listen(0, '127.0.0.1')
    const greeted = async (localAddress: string) => {
      const dialog = await smtpDialog(bounded.port, localAddress)
      return (await dialog.say('NOOP')) === '' ? undefined : dialog
    }
    const ofOne = [await greeted('127.0.0.1'), await greeted('127.0.0.1'), await greeted('127.0.0.1'), await greeted('127.0.0.1')]
    expect(ofOne.map((dialog) => dialog !== undefined)).toEqual([true, true, true, false])
    const others = [await greeted('127.0.0.2'), await greeted('127.0.0.3'), await greeted('127.0.0.4')]
    expect(others.map((dialog) => dialog !== undefined)).toEqual([true, true, true])
    // The first goes on talking for longer than the server takes to notice, so that the second is the quietest.
    const began = Date.now()
    await until(async () => (await ofOne[0]?.say('NOOP')) !== '' && Date.now() > began + 300)
    expect(await greeted('127.0.0.5')).toBeDefined()
    await until(() => ofOne[1]?.socket.destroyed === true)
    for (const dialog of [ofOne[0], ofOne[2], ...others]) expect(await dialog?.say('NOOP')).toMatch(/^250 /)
    for (const dialog of [...ofOne, ...others]) dialog?.end()
    await bounded.close()
  })

  it('ends with its time and its bytes', async () => {
    const bounds = { ...LIMITS, connectionMs: 1_000, connectionBytes: 100_000 }
    const bounded = bounceServer({ db, log, domain: DOMAIN, key }, bounds)
    await bounded.listen(0, '127.0.0.1')
    const slow = await smtpDialog(bounded.port)
    const drip = setInterval(() => slow.socket.write('N'), 50)
    const endless = await smtpDialog(bounded.port)
    await endless.say('EHLO relay.example')
    await endless.say('MAIL FROM:<>')
    await endless.say(`RCPT TO:<${bounceAddress('edi_01', DOMAIN, key)}>`)
    await endless.say('DATA')
    expect(await endless.say('x'.repeat(1_000_000))).toBe('')
    const silent = await smtpDialog(bounded.port)
    await until(() => [slow, silent].every(({ socket }) => socket.destroyed))
    clearInterval(drip)
    await bounded.close()
  })

  it('is a hundred refused commands', async () => {
    const refusals = async (command: string) => {
      const dialog = await smtpDialog(server.port)
      await dialog.say('EHLO relay.example')
      await dialog.say('MAIL FROM:<>')
      const replies: string[] = []
      while (replies.at(-1) !== '' && replies.length < 102) replies.push(await dialog.say(command))
      return replies
    }
    for (const command of [`RCPT TO:<postmaster@${DOMAIN}>`, 'RCPT TO:<>', 'MAIL FROM:<']) {
      const replies = await refusals(command)
      expect(replies.slice(0, 100).every((reply) => /^5\d\d /.test(reply))).toBe(true)
      expect(replies.slice(100)).toEqual([expect.stringMatching(/^421 .*Too many refused commands/), ''])
    }
  })

  it('has no AUTH, no STARTTLS and no way to hand a mail on', async () => {
    const dialog = await smtpDialog(server.port)
    expect(await dialog.say('EHLO relay.example')).not.toMatch(/AUTH|STARTTLS/)
    for (const command of ['AUTH PLAIN AAAA', 'STARTTLS', 'XCLIENT ADDR=127.0.0.1']) expect(await dialog.say(command)).toMatch(/^5\d\d /)
    dialog.end()
  })
})
