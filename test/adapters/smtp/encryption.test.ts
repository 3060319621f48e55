import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createSmtpMailer } from '../../../src/adapters/mail/smtp.ts'
import { selfSigned } from '../../support/http/selfSigned.ts'
import { type RealSmtpServer, realSmtpServer, refusal } from '../../support/mail/realSmtpServer.ts'
import { type ScriptedSmtp, scriptedSmtp } from '../../support/mail/scriptedSmtp.ts'
import { FROM, mailTo, someMail, TO } from '../../support/mail/someMail.ts'

const TIMES = { connectMs: 5_000, idleMs: 5_000, attemptMs: 10_000 }
const latency_ms = expect.any(Number)
const LOGIN = { user: 'orders', password: 'p@ss word' }
const SERVERS: { stop(): Promise<void> }[] = []

let own: { key: string; cert: string }
let foreign: { key: string; cert: string }
beforeAll(async () => {
  own = await selfSigned('localhost')
  foreign = await selfSigned('mail.example.com')
})
afterEach(async () => {
  for (const server of SERVERS.splice(0)) await server.stop()
})
afterAll(() => expect(SERVERS).toEqual([]))

async function started<Server extends RealSmtpServer | ScriptedSmtp>(server: Promise<Server>): Promise<Server> {
  const one = await server
  SERVERS.push(one)
  return one
}

type Tls = 'starttls' | 'implicit'
const server = (tls: Tls, certificate: { key: string; cert: string }, more = {}) =>
  started(realSmtpServer({ ...certificate, secure: tls === 'implicit', ...more }))

async function attempt(port: number, tls: Tls, { ca = own.cert as string | undefined, auth = undefined as typeof LOGIN | undefined } = {}) {
  const mailer = createSmtpMailer(mailTo(port, { host: 'localhost', tls, auth }), undefined, { ...TIMES, ca })
  try {
    return await mailer.send(await someMail())
  } finally {
    await mailer.close()
  }
}

describe.each<Tls>(['starttls', 'implicit'])('send: TLS, %s', (tls) => {
  it('hands the mail over encrypted, byte for byte', async () => {
    const { port, received } = await server(tls, own)
    expect(await attempt(port, tls)).toEqual({ outcome: 'accepted', code: 250, enhanced: '2.6.0', latency_ms })
    const [mail] = received
    expect(mail?.raw.equals((await someMail()).raw)).toBe(true)
    expect(mail?.session).toMatchObject({
      secure: true,
      envelope: {
        mailFrom: { address: FROM },
        rcptTo: [{ address: TO, dsn: { notify: ['FAILURE', 'DELAY'] } }],
        dsn: { ret: 'HDRS', envid: 'edi_01' },
      },
    })
  })

  it.each<[string, () => { key: string; cert: string }, () => string | undefined]>([
    ['of a CA that nobody trusts', () => own, () => undefined],
    ['for another host', () => foreign, () => foreign.cert],
  ])('hands nothing to a server with a certificate %s', async (_what, certificate, ca) => {
    let seen = 0
    const refuse = (_from: unknown, _session: unknown, done: () => void) => {
      seen += 1
      done()
    }
    const { port, received } = await server(tls, certificate(), { onAuth: refuse, onMailFrom: refuse })
    const mailer = createSmtpMailer(mailTo(port, { host: 'localhost', tls, auth: LOGIN }), undefined, { ...TIMES, ca: ca() })
    expect(await mailer.send(await someMail())).toEqual({ outcome: 'unreachable', reason: 'tls', latency_ms })
    await mailer.close()
    expect([seen, received]).toEqual([0, []])
  })
})

describe('send: a server without TLS', () => {
  it('gets neither the password nor the mail', async () => {
    const { port, commands } = await started(scriptedSmtp({ EHLO: '250-here\r\n250 AUTH PLAIN' }))
    const outcome = await attempt(port, 'starttls', { auth: LOGIN })
    expect(outcome).toEqual({ outcome: 'unreachable', reason: 'tls', code: 500, latency_ms })
    expect(commands.map((line) => line.slice(0, 8))).toEqual(['EHLO [12', 'STARTTLS'])
  })

  it('is no server for smtps', async () => {
    const { port, commands } = await started(scriptedSmtp({}))
    expect(await attempt(port, 'implicit', { auth: LOGIN })).toEqual({ outcome: 'unreachable', reason: 'tls', latency_ms })
    expect(commands.join()).not.toContain('AUTH')
  })
})

describe('send: AUTH', () => {
  const onAuth = (
    { username, password }: { username?: string; password?: string },
    _session: unknown,
    done: (error: Error | null, reply?: { user: string }) => void,
  ) => (username === LOGIN.user && password === LOGIN.password ? done(null, { user: username }) : done(refusal(535)))

  it.each(['PLAIN', 'LOGIN'])('signs in by %s', async (method) => {
    const { port, received } = await server('starttls', own, { authOptional: false, authMethods: [method], onAuth })
    expect(await attempt(port, 'starttls', { auth: LOGIN })).toMatchObject({ outcome: 'accepted' })
    expect(received[0]?.session.user).toBe(LOGIN.user)
  })

  it('is deferred when the password is wrong', async () => {
    const { port, received } = await server('starttls', own, { authOptional: false, onAuth })
    const outcome = await attempt(port, 'starttls', { auth: { ...LOGIN, password: 'wrong' } })
    expect(outcome).toEqual({ outcome: 'deferred', reason: 'auth', code: 535, enhanced: '5.7.8', latency_ms })
    expect(received).toEqual([])
  })

  it('is deferred when the server wants a password and none is set', async () => {
    const { port } = await server('starttls', own, { authOptional: false, onAuth })
    expect(await attempt(port, 'starttls')).toMatchObject({ outcome: 'deferred', reason: 'auth', code: 530 })
  })

  it('is deferred when the server has no AUTH and a password is set', async () => {
    const { port, received } = await server('starttls', own, { disabledCommands: ['AUTH'] })
    expect(await attempt(port, 'starttls', { auth: LOGIN })).toMatchObject({ outcome: 'deferred', reason: 'auth' })
    expect(received).toEqual([])
  })
})

describe('send: a well-behaved server', () => {
  type Refuse = (what: unknown, session: unknown, done: (error: Error) => void) => void
  const refuse =
    (code: number): Refuse =>
    (_what, _session, done) =>
      done(refusal(code))
  const refuseData = (code: number) => (stream: NodeJS.ReadableStream, _session: unknown, done: (error: Error) => void) => {
    stream.resume()
    stream.on('end', () => done(refusal(code)))
  }

  it.each<[string, object, object]>([
    ['450 to MAIL', { onMailFrom: refuse(450) }, { outcome: 'deferred', reason: 'deferred', code: 450 }],
    ['553 to MAIL', { onMailFrom: refuse(553) }, { outcome: 'deferred', reason: 'deferred', code: 553 }],
    ['450 to RCPT', { onRcptTo: refuse(450) }, { outcome: 'deferred', reason: 'deferred', code: 450 }],
    ['550 to RCPT', { onRcptTo: refuse(550) }, { outcome: 'refused', code: 550 }],
    ['452 to the message', { onData: refuseData(452) }, { outcome: 'deferred', reason: 'deferred', code: 452 }],
    ['554 to the message', { onData: refuseData(554) }, { outcome: 'refused', code: 554 }],
  ])('%s: the outcome has its codes and never its words', async (_what, options, expected) => {
    const { port } = await server('starttls', own, options)
    const outcome = await attempt(port, 'starttls')
    expect(outcome).toMatchObject(expected)
    expect(Object.keys(outcome).filter((key) => !['outcome', 'reason', 'code', 'enhanced', 'latency_ms'].includes(key))).toEqual([])
    expect(JSON.stringify(outcome)).not.toContain('Secret')
  })
})
