import { describe, expect, it } from '@jest/globals'
import { ConfigFault, readConfig } from '../../src/config/index.ts'

describe('readConfig: Temporal elsewhere', () => {
  const TLS = { TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_TLS: 'on' }
  const PEM = '-----BEGIN CERTIFICATE-----'

  it('is not encrypted and has no credential unless it is said', () => {
    expect(readConfig({}).temporalSecurity).toEqual({ tls: undefined, apiKey: undefined })
  })

  it('takes files and PEM texts', () => {
    const set = { ...TLS, TEMPORAL_TLS_CA: `${PEM}\\nabc`, TEMPORAL_TLS_CERT: '/a.pem', TEMPORAL_TLS_KEY: '/a.key' }
    const tls = { ca: `${PEM}\nabc`, client: { cert: '/a.pem', key: '/a.key' }, serverName: 'orders' }
    expect(readConfig({ ...set, TEMPORAL_SERVER_NAME: 'orders', TEMPORAL_API_KEY: 'k' }).temporalSecurity).toEqual({
      tls,
      apiKey: { key: 'k' },
    })
    expect(readConfig({ ...TLS, TEMPORAL_API_KEY_FILE: '/k' }).temporalSecurity.apiKey).toEqual({ file: '/k' })
  })

  it.each([
    [{ TEMPORAL_TLS: 'true' }, 'TEMPORAL_TLS must be on or off; it is "true".'],
    [{ TEMPORAL_TLS: 'on' }, 'TEMPORAL_ADDRESS must be set when TEMPORAL_TLS is on: the embedded Temporal is reached without encryption.'],
    [{ ...TLS, TEMPORAL_TLS_CERT: '/a.pem' }, 'TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY must be set together; TEMPORAL_TLS_KEY is not set.'],
    [{ ...TLS, TEMPORAL_TLS_KEY: '/a.key' }, 'TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY must be set together; TEMPORAL_TLS_CERT is not set.'],
    [
      { TEMPORAL_API_KEY: 'secret' },
      'TEMPORAL_TLS must be on when TEMPORAL_API_KEY is set: no key or certificate is used on a connection that is not encrypted.',
    ],
    [
      { ...TLS, TEMPORAL_API_KEY: 'secret', TEMPORAL_API_KEY_FILE: '/key' },
      'TEMPORAL_API_KEY and TEMPORAL_API_KEY_FILE must not both be set; keep the one that holds the key.',
    ],
    [{ ...TLS, TEMPORAL_TLS_CA: 'ca.pem' }, 'TEMPORAL_TLS_CA must be the absolute path of a PEM file, or the text of one.'],
    [{ ...TLS, TEMPORAL_API_KEY: 'two words' }, 'TEMPORAL_API_KEY must be one word of ASCII characters, as Temporal Cloud shows it.'],
    [
      { ...TLS, TEMPORAL_API_KEY_FILE: 'key' },
      'TEMPORAL_API_KEY_FILE must be the absolute path of a file, such as /run/secrets/temporal; it is "key".',
    ],
  ])('%j is refused in one sentence', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(new ConfigFault(sentence))
  })
})
