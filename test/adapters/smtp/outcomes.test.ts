import { afterEach, describe, expect, it } from '@jest/globals'
import { createSmtpMailer } from '../../../src/adapters/mail/smtp.ts'
import { type Script, type ScriptedSmtp, scriptedSmtp } from '../../support/mail/scriptedSmtp.ts'
import { mailTo, someMail, TO } from '../../support/mail/someMail.ts'
import { until } from '../../support/until.ts'

/** For servers that never answer. */
const QUICK = { connectMs: 1_000, idleMs: 1_000, attemptMs: 3_000 }
const PATIENT = { connectMs: 20_000, idleMs: 20_000, attemptMs: 50_000 }
const latency_ms = expect.any(Number)

const servers: ScriptedSmtp[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

async function attempt(script: Script, options = PATIENT) {
  const server = await scriptedSmtp(script)
  servers.push(server)
  const mailer = createSmtpMailer(mailTo(server.port), undefined, options)
  const outcome = await mailer.send(await someMail())
  return { outcome, server, mailer }
}

describe('send: what the server replies', () => {
  it.each<[string, Script, object]>([
    ['250', {}, { outcome: 'accepted', code: 250, enhanced: '2.0.0' }],
    ['250 without an enhanced code', { body: '250 ok' }, { outcome: 'accepted', code: 250 }],
    ['550 to the recipient', { RCPT: '550 5.1.1 No such user' }, { outcome: 'refused', code: 550, enhanced: '5.1.1' }],
    ['552 to the message', { body: '552 5.3.4 Too big' }, { outcome: 'refused', code: 552, enhanced: '5.3.4' }],
    ['554 to DATA', { DATA: '554 no' }, { outcome: 'refused', code: 554 }],
    ['an enhanced code of another class', { body: '550 2.0.0 odd' }, { outcome: 'refused', code: 550 }],
    ['a reply of several lines', { RCPT: '550-5.7.1 One\r\n550 5.7.1 Two' }, { outcome: 'refused', code: 550, enhanced: '5.7.1' }],
    ['421 as greeting', { greeting: '421 4.3.2 Busy' }, { outcome: 'deferred', reason: 'deferred', code: 421, enhanced: '4.3.2' }],
    ['554 as greeting', { greeting: '554 no' }, { outcome: 'deferred', reason: 'deferred', code: 554 }],
    ['450 to the sender', { MAIL: '450 4.1.8 Later' }, { outcome: 'deferred', reason: 'deferred', code: 450, enhanced: '4.1.8' }],
    ['550 to the sender', { MAIL: '550 5.7.1 No' }, { outcome: 'deferred', reason: 'deferred', code: 550, enhanced: '5.7.1' }],
    ['530 to the sender', { MAIL: '530 5.7.0 Log in' }, { outcome: 'deferred', reason: 'auth', code: 530, enhanced: '5.7.0' }],
    ['451 to the recipient', { RCPT: '451 4.7.1 Greylisted' }, { outcome: 'deferred', reason: 'deferred', code: 451, enhanced: '4.7.1' }],
    ['421 to the recipient', { RCPT: '421 4.3.2 Bye' }, { outcome: 'deferred', reason: 'deferred', code: 421, enhanced: '4.3.2' }],
    ['451 to DATA', { DATA: '451 later' }, { outcome: 'deferred', reason: 'deferred', code: 451 }],
    ['452 to the message', { body: '452 4.3.1 Full' }, { outcome: 'deferred', reason: 'deferred', code: 452, enhanced: '4.3.1' }],
    ['something else', { greeting: 'HTTP/1.1 400 Bad Request' }, { outcome: 'unreachable', reason: 'connect' }],
  ])('%s', async (_what, script, expected) => {
    const { outcome, mailer } = await attempt(script)
    await mailer.close()
    expect(outcome).toEqual({ ...expected, latency_ms })
  })
})

describe('send: servers that do not reply', () => {
  const unreachable = { outcome: 'unreachable', reason: 'connect', latency_ms }
  it.each<[string, Script]>([
    ['cut before the greeting', { greeting: 'cut' }],
    ['cut after EHLO', { EHLO: 'cut' }],
    ['cut after MAIL', { MAIL: 'cut' }],
    ['cut after RCPT', { RCPT: 'cut' }],
    ['cut after DATA', { DATA: 'cut' }],
    ['cut after the message', { body: 'cut' }],
    ['hang before the greeting', { greeting: 'hang' }],
    ['hang after MAIL', { MAIL: 'hang' }],
    ['hang after the message', { body: 'hang' }],
  ])('%s', async (_what, script) => {
    const { outcome, mailer, server } = await attempt(script, QUICK)
    expect(outcome).toEqual(unreachable)
    await until(() => server.open() === 0)
    await mailer.close()
  })

  it('sends a mail once in an attempt that is cut after the message', async () => {
    const { mailer, server } = await attempt({ body: 'cut' })
    expect(server.commands.filter((line) => line === 'DATA')).toHaveLength(1)
    await mailer.close()
  })

  it('ends an attempt in its time when the server drips a reply that never ends', async () => {
    const { outcome, mailer, server } = await attempt({ MAIL: 'drip' }, { ...QUICK, attemptMs: 500 })
    expect(outcome).toEqual(unreachable)
    await until(() => server.open() === 0)
    await mailer.close()
  })

  it('nobody listens', async () => {
    const { mailer, server } = await attempt({})
    await mailer.close()
    await server.stop()
    const away = createSmtpMailer(mailTo(server.port), undefined, PATIENT)
    expect(await away.send(await someMail())).toEqual(unreachable)
    await away.close()
  })

  it('the name does not exist', async () => {
    const mailer = createSmtpMailer(mailTo(25, { host: 'nowhere.invalid' }), undefined, PATIENT)
    expect(await mailer.send(await someMail())).toEqual({ outcome: 'unreachable', reason: 'dns', latency_ms })
    await mailer.close()
  })
})

describe('send: envelope', () => {
  it('sends sender, one recipient and what a report should name, and nothing else', async () => {
    const { mailer, server } = await attempt({})
    expect(server.commands.filter((line) => !line.startsWith('EHLO'))).toEqual([
      'MAIL FROM:<orders@marketplace.example> RET=HDRS ENVID=edi_01',
      `RCPT TO:<${TO}> NOTIFY=FAILURE,DELAY`,
      'DATA',
    ])
    await mailer.close()
  })

  const LINE = '\r\nRCPT TO:<evil@x.example'
  it.each([
    { envelope: { from: 'a@b.example', to: [`x@y.example>${LINE}`] } },
    { envelope: { from: `a@b.example>${LINE}`, to: [TO] } },
    { envelope: { from: 'a@b.example', to: [TO, 'c@d.example'] } },
    { envelope: { from: 'a@b.example', to: [`${TO}, c@d.example`] } },
    { envelope: { from: 'a@b.example', to: [`"${TO}"`] } },
    { envelope: { from: 'a@b.example', to: ['<x@y.example>'] } },
    { envelope: { from: 'a@b.example', to: ['x@[127.0.0.1]'] } },
    { envelope: { from: 'a@b.example', to: ['x@y.example NOTIFY=NEVER'] } },
    { envelope: { from: 'a@b.example', to: [] } },
    { envelope: { from: '', to: [TO] } },
    { envelopeId: `edi_01${LINE}` },
    { envelopeId: 'edi_01 NOTIFY=NEVER' },
    { envelopeId: '' },
  ])('throws for %j before anything is sent', async (more) => {
    const { mailer, server } = await attempt({})
    const before = server.commands.length
    await expect(mailer.send({ ...(await someMail()), ...more })).rejects.toThrow(RangeError)
    expect(server.commands).toHaveLength(before)
    await mailer.close()
  })
})
