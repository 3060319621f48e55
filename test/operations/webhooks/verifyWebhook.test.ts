import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { verifyWebhook, WebhookFault } from '../../../client/src/index.ts'
import { signatureHeaders } from '../../../src/adapters/http/requestSignature.ts'

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 2).toString('base64')}`
const NOW = 1_900_000_000
const BODY = '{"event_type":"order.status_changed","note":"Zoë"}'
const SIGNATURE = 'x-signature'
const signed = (secrets = [SECRET], timestamp = NOW) => signatureHeaders({ id: 'ord_1:1', body: BODY, timestamp, secrets })

/** What is sent, by what a receiver must say to it. */
const CASES: readonly [string, boolean, Record<string, string>, string][] = [
  ['what the platform signed', true, signed(), BODY],
  ['what both secrets of a rotation signed', true, signed([OTHER, SECRET]), BODY],
  ['what is five minutes old', true, signed([SECRET], NOW - 300), BODY],
  ['what is older', false, signed([SECRET], NOW - 301), BODY],
  ['what comes from the future', false, signed([SECRET], NOW + 301), BODY],
  ['another secret', false, signed([OTHER]), BODY],
  ['another body', false, signed(), BODY.replace('Zoë', 'Zoe')],
  ['another timestamp', false, { 'x-signature': String(signed()[SIGNATURE]).replace(String(NOW), String(NOW + 1)) }, BODY],
  ['half a signature', false, { 'x-signature': String(signed()[SIGNATURE]).slice(0, -2) }, BODY],
  ['no signature', false, {}, BODY],
  ['an empty one', false, { 'x-signature': `t=${NOW},v1=` }, BODY],
  ['letters that no signature has', false, { 'x-signature': `t=${NOW},v1=é` }, BODY],
  ['a time that is none', false, { 'x-signature': 't=²,v1=00' }, BODY],
  ['another scheme', false, { 'x-signature': String(signed()[SIGNATURE]).replace('v1=', 'v0=') }, BODY],
]

describe('verifyWebhook', () => {
  it.each(CASES)('of %s: %s', async (_, good, headers, body) => {
    const verify = () => verifyWebhook({ headers, body: Buffer.from(body) }, SECRET, new Date(NOW * 1_000))
    if (good) expect(await verify()).toEqual(JSON.parse(body))
    else await expect(verify()).rejects.toThrow(WebhookFault)
  })
})

describe('the verifier in Python that the documentation shows', () => {
  let said: boolean[]
  beforeAll(async () => {
    const page = await readFile(new URL('../../../docs/buy/receiving-webhooks.md', import.meta.url), 'utf8')
    const shown = /```python\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
    const asking = `
import sys
for headers, body in json.load(sys.stdin):
    try:
        print(json.dumps(verify_webhook(headers, body.encode(), "${SECRET}", ${NOW}) == json.loads(body)))
    except ValueError:
        print("false")
`
    const input = JSON.stringify(CASES.map(([, , headers, body]) => [headers, body]))
    const out = execFileSync('python3', ['-c', shown + asking], { input, encoding: 'utf8' })
    said = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  })

  it.each(CASES.map(([what, good], index) => [what, good, index] as const))('of %s: %s', (_, good, index) => expect(said[index]).toBe(good))
})
