import { createHash, createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from '@jest/globals'
import PostalMime from 'postal-mime'
import { readDkimKey } from '../../../src/adapters/mail/dkimKey.ts'
import { createSmtpMailer } from '../../../src/adapters/mail/smtp.ts'
import { ConfigFault } from '../../../src/config/index.ts'
import { temporaryFolder } from '../../support/files/temporaryFolder.ts'
import { type RealSmtpServer, realSmtpServer, refusal } from '../../support/mail/realSmtpServer.ts'
import { mailTo, someMail, TO } from '../../support/mail/someMail.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function opened(settings: Parameters<typeof mailTo>[2] = {}, key?: string, options?: Parameters<typeof realSmtpServer>[0]) {
  const server = await realSmtpServer(options)
  const mailer = createSmtpMailer(mailTo(server.port, {}, settings), key)
  stops.push(server.stop, mailer.close)
  return { server, mailer }
}

describe('send: bytes', () => {
  it.each([
    ['a line with one dot', 'before\r\n.\r\nMAIL FROM:<evil@x.example>\r\nRCPT TO:<evil@x.example>\r\nDATA\r\nafter\r\n'],
    ['a bare line feed around a dot', 'before\n.\nRCPT TO:<evil@x.example>\n'],
    ['a bare carriage return around a dot', 'before\r.\rRCPT TO:<evil@x.example>\r'],
    ['mixed line ends around a dot', 'before\n.\r\nQUIT\r\n'],
    ['no line end', 'before'],
  ])('%s stays within the one mail', async (_what, text) => {
    const { server, mailer } = await opened()
    const mail = await someMail()
    const raw = Buffer.concat([Buffer.from('Subject: x\r\n\r\n'), Buffer.from(text)])
    expect(await mailer.send({ ...mail, raw })).toMatchObject({ outcome: 'accepted' })
    expect(server.received.map(({ session }) => session.envelope.rcptTo.map(({ address }) => address))).toEqual([[TO]])
    expect(server.received[0]?.raw.toString().replace(/\s/g, '')).toBe(raw.toString().replace(/\s/g, ''))
  })

  const HOSTILE = [
    'x\r\nBcc: evil@x.example',
    'x\nBcc: evil@x.example',
    'x\r\n\r\n<script>',
    'x\u0000y\u2028Bcc: evil@x.example',
    '=?utf-8?Q?=0D=0ABcc:_evil@x.example?=',
    'x\r\n.\r\nRCPT TO:<evil@x.example>',
    `${'é'.repeat(500)}\r\nBcc: evil@x.example`,
  ]
  it.each(HOSTILE)('%j adds neither header nor recipient, wherever it comes', async (text) => {
    const { server, mailer } = await opened()
    const mail = await someMail({
      subject: text,
      text,
      headers: { 'EDI-Estimate-Id': text, 'EDI-Order-Id': text },
      documents: [{ filename: text, contentType: 'application/xml', content: Buffer.from(text) }],
    })
    expect(await mailer.send(mail)).toMatchObject({ outcome: 'accepted' })
    const [one, ...others] = server.received
    expect([one?.session.envelope.rcptTo.map(({ address }) => address), others]).toEqual([[TO], []])
    const { headers, bcc, to, attachments } = await PostalMime.parse(one?.raw ?? '')
    expect([bcc, to?.map(({ address }) => address), attachments.length]).toEqual([undefined, [TO], 1])
    expect(headers.map(({ key }) => key).sort()).toEqual([
      ...['content-type', 'date', 'edi-estimate-id', 'edi-order-id', 'from', 'message-id', 'mime-version', 'subject', 'to'],
    ])
    expect(Buffer.from(attachments[0]?.content as ArrayBuffer).toString()).toBe(text)
  })

  it.each(['from', 'to', 'envelopeFrom'])('composes no mail with a line end in %s', async (field) => {
    await expect(someMail({ [field]: 'a@b.example\r\nBcc: evil@x.example' })).rejects.toThrow(RangeError)
  })
})

describe('send: DKIM', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const dkim = { domain: 'marketplace.example', selector: 'orders-2030', keyFile: '/etc/dkim.pem' }

  it('signs every attempt with the same bytes, and the signature is true', async () => {
    const { server, mailer } = await opened({ dkim }, privateKey)
    const big = { documents: [{ filename: 'a.xml', contentType: 'application/xml' as const, content: Buffer.alloc(1_000_000, 'abc\n') }] }
    for (const mail of [await someMail(), await someMail(), await someMail(big), await someMail(big)]) await mailer.send(mail)
    const [first, second, third, fourth] = server.received.map(({ raw }) => raw)
    expect(first?.equals(second as Buffer)).toBe(true)
    expect(third?.equals(fourth as Buffer)).toBe(true)
    for (const raw of [first, third]) {
      expect(raw?.toString()).toMatch(
        /^DKIM-Signature: v=1; a=rsa-sha256; c=relaxed\/relaxed;\s+d=marketplace\.example;\s+q=dns\/txt; s=orders-2030;/,
      )
      expect(isSigned(raw?.toString('latin1') ?? '', publicKey)).toBe(true)
      expect(isSigned((raw?.toString('latin1') ?? '').replace('Subject: ', 'Subject: not '), publicKey)).toBe(false)
    }
  })

  it('reads an RSA key, and refuses everything else in one sentence', async () => {
    const folder = await temporaryFolder()
    stops.push(folder.remove)
    const file = async (text: string) => {
      const keyFile = join(folder.path, 'dkim.pem')
      await writeFile(keyFile, text)
      return readDkimKey({ dkim: { ...dkim, keyFile } })
    }
    const pem = { type: 'pkcs8', format: 'pem' } as const
    expect(await readDkimKey({ dkim: undefined })).toBeUndefined()
    expect(await file(privateKey)).toBe(privateKey)
    const others = [
      'not a key',
      publicKey,
      generateKeyPairSync('ed25519').privateKey.export(pem),
      generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey.export(pem),
      generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ ...pem, cipher: 'aes-256-cbc', passphrase: 'x' }),
    ]
    for (const text of others) {
      const refused = await file(text.toString()).catch((error) => error)
      expect(refused).toBeInstanceOf(ConfigFault)
      expect(refused.message).toMatch(/^DKIM_KEY_FILE \S+dkim\.pem must hold an RSA private key of at least 1024 bits/)
    }
    await expect(readDkimKey({ dkim })).rejects.toThrow(/^DKIM_KEY_FILE \/etc\/dkim\.pem cannot be read \(ENOENT\)/)
  })
})

describe('send: connections', () => {
  it('sends 40 mails over four connections', async () => {
    const { server, mailer } = await opened()
    const mails = await Promise.all(Array.from({ length: 40 }, (_, n) => someMail({ message_id: `edi_${n}` })))
    const outcomes = await Promise.all(mails.map((mail) => mailer.send(mail)))
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['accepted']))
    expect([server.received.length, server.connections()]).toEqual([40, 4])
    const ids = server.received.map(({ raw }) => /Message-ID: <(\w+)@/i.exec(raw.toString())?.[1])
    expect(new Set(ids).size).toBe(40)
  })

  it('keeps a connection for more than a hundred mails', async () => {
    const { server, mailer } = await opened()
    const mail = await someMail()
    for (let sent = 0; sent < 101; sent += 1) expect(await mailer.send(mail)).toMatchObject({ outcome: 'accepted' })
    expect([server.received.length, server.connections()]).toEqual([101, 1])
  })

  it('sends a mail over another connection when the server takes no more over this one', async () => {
    const over = new Map<string, number>()
    const { server, mailer } = await opened({}, undefined, {
      onMailFrom: (_address, { id }, done) => {
        over.set(id, (over.get(id) ?? 0) + 1)
        done((over.get(id) ?? 0) > 2 ? refusal(421) : null)
      },
    })
    const mail = await someMail()
    for (let sent = 0; sent < 5; sent += 1) expect(await mailer.send(mail)).toMatchObject({ outcome: 'accepted' })
    expect([server.received.length, server.connections()]).toEqual([5, 3])
  })

  it('goes on when the server was restarted between two mails', async () => {
    const { server, mailer } = await opened()
    expect(await mailer.send(await someMail())).toMatchObject({ outcome: 'accepted' })
    await server.stop()
    expect(await mailer.send(await someMail())).toMatchObject({ outcome: 'unreachable', reason: 'connect' })
    const again: RealSmtpServer = await realSmtpServer({}, server.port)
    stops.push(again.stop)
    expect(await mailer.send(await someMail())).toMatchObject({ outcome: 'accepted' })
    expect(again.received).toHaveLength(1)
  })
})

/** Verifies a DKIM signature (RFC 6376, relaxed/relaxed) without the library that makes it. */
function isSigned(raw: string, publicKey: string): boolean {
  const split = raw.indexOf('\r\n\r\n')
  const fields = raw.slice(0, split).split(/\r\n(?![ \t])/)
  const body = raw.slice(split + 4)
  const signature = fields.find((field) => /^dkim-signature:/i.test(field)) ?? ''
  const tags = new Map(
    signature
      .slice(signature.indexOf(':') + 1)
      .replace(/\s+/g, '')
      .split(';')
      .map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)] as const),
  )
  const relaxedBody = `${body
    .replace(/[ \t]+/g, ' ')
    .replace(/ \r\n/g, '\r\n')
    .replace(/(\r\n)+$/, '')}\r\n`
  if (createHash('sha256').update(relaxedBody, 'latin1').digest('base64') !== tags.get('bh')) return false
  const relaxed = (field: string) => {
    const [name = ''] = field.split(':', 1)
    const value = field
      .slice(name.length + 1)
      .replace(/\r\n/g, '')
      .replace(/[ \t]+/g, ' ')
      .trim()
    return `${name.trim().toLowerCase()}:${value}`
  }
  const left = [...fields]
  const signed = (tags.get('h') ?? '').split(':').flatMap((name) => {
    const at = left.findLastIndex((field) => field.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    return at < 0 ? [] : left.splice(at, 1)
  })
  const text = [...signed.map(relaxed), relaxed(signature).replace(/([; ]b=)[^;]*/, '$1')].join('\r\n')
  return createVerify('sha256')
    .update(text, 'latin1')
    .verify(createPublicKey(publicKey), tags.get('b') ?? '', 'base64')
}
