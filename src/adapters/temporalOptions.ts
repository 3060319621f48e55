import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { rootCertificates } from 'node:tls'
import { ConfigFault, type TemporalSecurity } from '../config.ts'
import { isPem } from '../configTemporal.ts'

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
  if (!certificate.checkPrivateKey(privateKey(text)))
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

async function readText(setting: string, value: string): Promise<string> {
  if (isPem(value)) return value
  return readFile(value, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new ConfigFault(`${setting} ${value} cannot be read (${code}); give this process read access, or name another file.`)
  })
}

function dayOf(time: string): string {
  return new Date(time).toISOString().slice(0, 10)
}
