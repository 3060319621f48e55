import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { rootCertificates } from 'node:tls'
import { ConfigFault, type TemporalSecurity } from '../../config/index.ts'
import { isPem } from '../../config/temporal.ts'

/** The options with which a client or a worker connects to Temporal. */
export interface TemporalOptions {
  readonly address: string
  readonly tls?: {
    readonly serverRootCACertificate: Buffer
    readonly clientCertPair?: { readonly crt: Buffer; readonly key: Buffer }
    readonly serverNameOverride?: string
  }
  readonly apiKey?: string
}

/** Reads certificates and key as the settings name them. Errors: a ConfigFault that names the setting if one cannot be read or used. */
export async function temporalOptions(address: string, { tls, apiKey }: TemporalSecurity): Promise<TemporalOptions> {
  const key = apiKey === undefined ? {} : { apiKey: 'key' in apiKey ? apiKey.key : await readApiKey(apiKey.file) }
  if (tls === undefined) return { address, ...key }
  // The SDK would use the system's certificates, and an image without any trusts no server.
  const authorities = tls.ca === undefined ? rootCertificates.join('\n') : await readCertificates('TEMPORAL_TLS_CA', tls.ca)
  const name = tls.serverName === undefined ? {} : { serverNameOverride: tls.serverName }
  const client = tls.client === undefined ? {} : { clientCertPair: await readClient(tls.client) }
  return { address, tls: { serverRootCACertificate: Buffer.from(authorities), ...client, ...name }, ...key }
}

/** Reads the key of `TEMPORAL_API_KEY_FILE`. Errors: ConfigFault. */
export async function readApiKey(file: string): Promise<string> {
  const key = (await readText('TEMPORAL_API_KEY_FILE', file)).trim()
  if (!/^[\x21-\x7e]+$/.test(key)) throw new ConfigFault(`TEMPORAL_API_KEY_FILE ${file} must hold an API key and nothing else.`)
  return key
}

async function readClient({ cert, key }: { cert: string; key: string }): Promise<{ crt: Buffer; key: Buffer }> {
  const crt = await readCertificates('TEMPORAL_TLS_CERT', cert)
  const text = await readText('TEMPORAL_TLS_KEY', key)
  const certificate = new X509Certificate(crt)
  if (Date.parse(certificate.validTo) < Date.now())
    throw new ConfigFault(`The certificate of TEMPORAL_TLS_CERT expired on ${dayOf(certificate.validTo)}; renew it.`)
  if (!isVersion3(certificate))
    throw new ConfigFault(
      'The certificate of TEMPORAL_TLS_CERT is of X.509 version 1, which a worker cannot present; issue one of version 3, with the extension extendedKeyUsage=clientAuth.',
    )
  const ownKey = privateKey(text)
  if (!isPresentable(ownKey))
    throw new ConfigFault(
      `TEMPORAL_TLS_KEY must be an RSA key of 2048 bits or more, an ECDSA key on P-256 or P-384, or an Ed25519 key; it is ${nameOf(ownKey)}.`,
    )
  if (!certificate.checkPrivateKey(ownKey))
    throw new ConfigFault('TEMPORAL_TLS_KEY must be the key of TEMPORAL_TLS_CERT; it is the key of another certificate.')
  return { crt: Buffer.from(crt), key: Buffer.from(text) }
}

async function readCertificates(setting: string, value: string): Promise<string> {
  const text = await readText(setting, value)
  try {
    new X509Certificate(text)
    return text
  } catch {
    throw new ConfigFault(`${setting} must hold a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----.`)
  }
}

function privateKey(text: string) {
  try {
    return createPrivateKey(text)
  } catch {
    throw new ConfigFault('TEMPORAL_TLS_KEY must hold a private key in PEM without a passphrase.')
  }
}

const VERSION_3 = Buffer.from('a003020102', 'hex')

/** Whether a certificate states version 3: Node.js does not tell, and version 1 is the one that is not stated (RFC 5280, 4.1.2.1). */
function isVersion3({ raw }: X509Certificate): boolean {
  const contentAt = (at: number) => at + 2 + ((raw[at + 1] ?? 0) < 0x80 ? 0 : (raw[at + 1] ?? 0) & 0x7f)
  const first = contentAt(contentAt(0))
  return raw.subarray(first, first + VERSION_3.length).equals(VERSION_3)
}

/** Whether the TLS of the worker, which is not that of Node.js, has a use for a key. */
function isPresentable({ asymmetricKeyType: type, asymmetricKeyDetails: { modulusLength = 0, namedCurve = '' } = {} }: KeyObject): boolean {
  if (type === 'rsa') return modulusLength >= 2_048
  return type === 'ed25519' || (type === 'ec' && ['prime256v1', 'secp384r1'].includes(namedCurve))
}

function nameOf({ asymmetricKeyType, asymmetricKeyDetails: { modulusLength, namedCurve } = {} }: KeyObject): string {
  return [asymmetricKeyType, namedCurve ?? modulusLength].filter((part) => part !== undefined).join(' ')
}

async function readText(setting: string, value: string): Promise<string> {
  if (isPem(value)) return value
  return readFile(value, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new ConfigFault(`${setting} ${value} cannot be read (${code}); give this process read access, or name another file.`)
  })
}

function dayOf(time: string): string {
  return new Date(time).toISOString().slice(0, 10)
}
