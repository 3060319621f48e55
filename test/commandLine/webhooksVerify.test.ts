import { describe, expect, it } from '@jest/globals'
import { signatureHeaders } from '../../src/adapters/http/requestSignature.ts'
import { useCommandLine } from '../support/commandLine.ts'

const line = useCommandLine()
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 2).toString('base64')}`
const AT = '2026-11-01T12:00:00Z'
const BODY = '{"event_type":"webhook.test","data":{"a":1}}'
const signed = (body = BODY, timestamp = Date.parse(AT) / 1_000) => signatureHeaders({ id: 'e', body, timestamp, secrets: [SECRET] })
const asItCame = (headers: Record<string, string>, body: string, ending = '\r\n') =>
  [`POST /hook HTTP/1.1`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', body].join(ending)
const ok = { header: 'ok', timestamp: 'ok', age: 'ok', secret: 'ok', signature: 'ok', body: 'ok' }
const none = {
  header: 'failed',
  timestamp: 'not reached',
  age: 'not reached',
  secret: 'not reached',
  signature: 'not reached',
  body: 'not reached',
}

describe('webhooks verify says which step fails', () => {
  it.each<[string, string, string, object, RegExp]>([
    ['a request as it came', asItCame(signed(), BODY), SECRET, ok, /^$/],
    ['one with the line breaks of an editor', asItCame(signed(), BODY, '\n'), SECRET, ok, /^$/],
    ['headers and body as JSON', JSON.stringify({ headers: { 'X-Signature': signed()['x-signature'] }, body: BODY }), SECRET, ok, /^$/],
    ['no signature', asItCame({ host: 'localhost' }, BODY), SECRET, none, /there is no X-Signature/],
    [
      'no timestamp',
      asItCame({ 'x-signature': 'v1=00' }, BODY),
      SECRET,
      { ...none, header: 'ok', timestamp: 'failed' },
      /no t=<unix seconds>/,
    ],
    [
      'an old request, whose signature is right',
      asItCame(signed(BODY, Date.parse(AT) / 1_000 - 600), BODY),
      SECRET,
      { ...ok, age: 'failed' },
      /600 s old.*300 s are allowed/,
    ],
    [
      'a secret that is cut off',
      asItCame(signed(), BODY),
      'whsec_abc',
      { ...ok, secret: 'failed', signature: 'not reached' },
      /not whsec_ and base64/,
    ],
    ['another secret', asItCame(signed(), BODY), OTHER, { ...ok, signature: 'failed' }, /Another secret, or another body/],
    ['a line break at the end', asItCame(signed(), `${BODY}\n`), SECRET, { ...ok, signature: 'failed' }, /without its last line break/],
    [
      'a body that was written again',
      asItCame(signed(), JSON.stringify(JSON.parse(BODY), null, 2)),
      SECRET,
      { ...ok, signature: 'failed' },
      /verify the raw bytes/,
    ],
  ])('%s', async (_, content, secret, verdicts, said) => {
    const file = await line.file('request.http', content)
    const { code, out } = await line.run(['webhooks', 'verify', file, '--secret', secret, '--at', AT, '--json'])
    const { steps } = JSON.parse(out) as { steps: { step: string; verdict: string; said: string }[] }
    expect(Object.fromEntries(steps.map(({ step, verdict }) => [step, verdict]))).toEqual(verdicts)
    expect(code).toBe(steps.some(({ verdict }) => verdict === 'failed') ? 1 : 0)
    expect(
      steps
        .filter(({ verdict }) => verdict === 'failed')
        .map((one) => one.said)
        .join(' '),
    ).toMatch(said)
  })

  it.each([
    ['no file', 'nowhere.http', undefined, [], /^There is no file .*\n$/],
    ['no request', 'text.http', 'hello', [], /must be \{"headers": .*\n$/],
    ['a time that is none', 'r.http', asItCame(signed(), BODY), ['--at', 'noon'], /^"noon" is not a time, .*\n$/],
  ])('and refuses %s in one sentence', async (_, name, content, args, err) => {
    const file = content === undefined ? `${line.folder}/${name}` : await line.file(name, content)
    expect(await line.run(['webhooks', 'verify', file, '--secret', SECRET, ...args])).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(err),
    })
  })
})
