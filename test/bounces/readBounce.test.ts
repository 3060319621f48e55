import { describe, expect, it } from '@jest/globals'
import { readBounce } from '../../bounces/readBounce.ts'
import { dsn } from '../support/mail/dsn.ts'

const read = (mail: string) => readBounce(Buffer.from(mail, 'latin1'))

describe('readBounce', () => {
  it.each([
    ['of Postfix', dsn()],
    ['with bare line feeds', dsn().replaceAll('\r\n', '\n')],
    ['in other cases', dsn({ action: 'Failed' }).replace('Status:', 'STATUS:').replace('multipart/report', 'Multipart/Report')],
    ['with a comment behind the code', dsn({ status: '5.1.1 (bad destination mailbox address)' })],
    [
      'in base64',
      dsn().replace(
        /(message\/delivery-status)\r\n\r\n([\s\S]*?)\r\n--/,
        (_all, type, text) => `${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(text).toString('base64')}\r\n--`,
      ),
    ],
    [
      'about a recipient that got it and one that did not',
      dsn({
        action: 'delivered',
        status: '2.0.0',
        more: '\r\nFinal-Recipient: rfc822; b@agency.example\r\nAction: failed\r\nStatus: 5.1.1',
      }),
    ],
  ])('returns the code of a report %s', async (_what, mail) => {
    expect(await read(mail)).toBe('5.1.1')
  })

  it.each([
    ['a delay', dsn({ action: 'delayed', status: '4.4.1' })],
    ['a delay that calls itself 5.x.x', dsn({ action: 'delayed', status: '5.4.1' })],
    ['a delivery', dsn({ action: 'delivered', status: '2.0.0' })],
    ['a relay', dsn({ action: 'relayed', status: '2.0.0' })],
    ['an end for a reason that passes', dsn({ action: 'failed', status: '4.4.7' })],
    ['a code that is none', dsn({ status: '5.1' })],
    ['a longer code', dsn({ status: '5.1.1.1' })],
    ['no code', dsn().replace(/^Status: .*\r\n/m, '')],
    ['no action', dsn().replace(/Action: failed\r\n/, '')],
    [
      'action and code in the fields of the mail',
      dsn()
        .replace('Reporting-MTA', 'Action: failed\r\nStatus: 5.1.1\r\nReporting-MTA')
        .replace(/Action: failed\r\nStatus: 5\.1\.1\r\nRemote/, 'Remote'),
    ],
    [
      'a report that a person forwards',
      `Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: message/rfc822\r\n\r\n${dsn()}\r\n--x--\r\n`,
    ],
    [
      'an answer of a person on holiday',
      'From: billing@agency.example\r\nAuto-Submitted: auto-replied\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n',
    ],
    ['another kind of report', dsn().replace('message/delivery-status', 'message/disposition-notification')],
    ['nothing', ''],
    ['a header alone', 'Content-Type: multipart/report; boundary=x'],
    ['no boundary', dsn().replace(/;\r\n\tboundary=.*\r\n/, '\r\n')],
    ['an unfinished part', dsn().slice(0, 700)],
    ['random bytes', Buffer.alloc(20_000, '\x00\xff\x80-\n:').toString('latin1')],
  ])('returns nothing for %s', async (_what, mail) => {
    expect(await read(mail)).toBeUndefined()
  })

  const LARGEST = 65_536
  const fill = (text: string) => text.repeat(Math.ceil(LARGEST / text.length)).slice(0, LARGEST)
  const report = 'Content-Type: multipart/report; report-type=delivery-status; boundary=x\r\n\r\n'
  it.each([
    ['boundaries', report + fill('--x\r\n\r\n')],
    ['parts', report + fill('--x\r\nContent-Type: message/delivery-status\r\n\r\n\r\n')],
    ['parts within parts', report + fill('--x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n')],
    [
      'boundaries within boundaries',
      Array.from({ length: 900 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join(''),
    ],
    ['mails within mails', report + fill('--x\r\nContent-Type: message/rfc822\r\n\r\n')],
    ['headers', fill('a: b\r\n')],
    ['one folded header', `Subject: ${fill('=?utf-8?Q?a?=\r\n ')}`],
    ['addresses', `To: ${fill('"a" <b@c.example>, (d) ')}`],
    ['parameters', `Content-Type: multipart/report; ${fill("a*0*=utf-8''%20; ")}`],
    ['groups of a report', `${report}--x\r\nContent-Type: message/delivery-status\r\n\r\n${fill('\r\n \t\r\n')}`],
    ['folded fields of a report', `${report}--x\r\nContent-Type: message/delivery-status\r\n\r\na: b\r\n\r\n${fill('\n \t ')}`],
    ['base64', `${report}--x\r\nContent-Type: message/delivery-status\r\nContent-Transfer-Encoding: base64\r\n\r\n${fill('=')}`],
  ])('reads the largest mail of %s in seconds', async (_what, mail) => {
    const started = performance.now()
    expect(await read(mail.slice(0, LARGEST))).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
