import { describe, expect, it } from '@jest/globals'
import { signatureHeaders } from '../../src/adapters/http/requestSignature.ts'
import { python } from './pythonVerifier.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OLDER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const BODY = '{"event_type":"order.status_changed","name":"Zoë"}'

/** The rule of the contract in another language's standard library. */
const MACS = `
import sys, json, hmac, hashlib, base64
ask = json.loads(sys.argv[1])
key = base64.b64decode(ask["secret"][len("whsec_"):])
mac = lambda text: hmac.new(key, text.encode(), hashlib.sha256)
print(json.dumps([
  mac(f'{ask["timestamp"]}.{ask["body"]}').hexdigest(),
  base64.b64encode(mac(f'{ask["id"]}.{ask["timestamp"]}.{ask["body"]}').digest()).decode(),
]))`

describe('the signature of a request', () => {
  it('is the HMAC-SHA256 that another language computes, in both forms', async () => {
    const ask = { id: 'ord_1:3', timestamp: 1_900_000_000, body: BODY }
    const [hex, base64] = await python<[string, string]>(MACS, { ...ask, secret: SECRET })
    const [older, olderBase64] = await python<[string, string]>(MACS, { ...ask, secret: OLDER })
    expect(signatureHeaders({ ...ask, secrets: [SECRET] })).toEqual({
      'x-signature': `t=1900000000,v1=${hex}`,
      'webhook-id': 'ord_1:3',
      'webhook-timestamp': '1900000000',
      'webhook-signature': `v1,${base64}`,
    })
    expect(signatureHeaders({ ...ask, body: Buffer.from(BODY), secrets: [SECRET, OLDER] })).toMatchObject({
      'x-signature': `t=1900000000,v1=${hex},v1=${older}`,
      'webhook-signature': `v1,${base64} v1,${olderBase64}`,
    })
  })
})
