import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { host, mustBe } from './forms.ts'
import { VARIABLE_GUIDE } from './guide.ts'

/** How this process and the service of `TEMPORAL_ADDRESS` authenticate to each other. */
export interface TemporalSecurity {
  /** If undefined, the connection is not encrypted. */
  readonly tls: TemporalTls | undefined
  /** The key, or the file that contains it. */
  readonly apiKey: { readonly key: string } | { readonly file: string } | undefined
}

/** The certificates and keys of TLS, each as the path of a PEM file or as PEM text. */
export interface TemporalTls {
  /** If undefined, the authorities that Node.js trusts. */
  readonly ca: string | undefined
  readonly client: { readonly cert: string; readonly key: string } | undefined
  /** If undefined, the host of the address. */
  readonly serverName: string | undefined
}

const READ_BY = ['start', 'worker', 'commands'] as const
const NEEDS_TLS = 'Startup also fails unless `TEMPORAL_TLS` is `on`.'

export const TEMPORAL = z.object({
  TEMPORAL_TLS: z
    .enum(['on', 'off'], { error: mustBe('TEMPORAL_TLS', 'on or off') })
    .default('off')
    .register(VARIABLE_GUIDE, {
      about: 'Whether the connection to `TEMPORAL_ADDRESS` is encrypted, see [Temporal elsewhere](temporal.md).',
      readBy: READ_BY,
      fault: 'Startup also fails if it is `on` without `TEMPORAL_ADDRESS`, or if the server speaks no TLS.',
    }),
  TEMPORAL_TLS_CA: pem('TEMPORAL_TLS_CA').register(VARIABLE_GUIDE, {
    about: "The authority of the server's certificate: a PEM file, or its text.",
    unset: 'the authorities that Node.js trusts',
    readBy: READ_BY,
    fault: `${NEEDS_TLS} A certificate of another authority, an expired one and one for another name stop the start.`,
  }),
  TEMPORAL_TLS_CERT: pem('TEMPORAL_TLS_CERT').register(VARIABLE_GUIDE, {
    about:
      'The certificate with which this service proves itself (mTLS), its chain included: a PEM file, or its text. A renewed one is read at the next start.',
    unset: 'no client certificate',
    readBy: READ_BY,
    fault: `${NEEDS_TLS} It also fails without \`TEMPORAL_TLS_KEY\`, with a key that is not of this certificate, when it has expired, and when it is not of X.509 version 3.`,
  }),
  TEMPORAL_TLS_KEY: pem('TEMPORAL_TLS_KEY').register(VARIABLE_GUIDE, {
    about: 'The private key of `TEMPORAL_TLS_CERT`, without a passphrase: a PEM file, or its text.',
    unset: 'no client certificate',
    readBy: READ_BY,
    fault: `${NEEDS_TLS} It also fails without \`TEMPORAL_TLS_CERT\`, and unless it is an RSA key of 2048 bits or more, an ECDSA key on P-256 or P-384, or an Ed25519 key.`,
  }),
  TEMPORAL_SERVER_NAME: host('TEMPORAL_SERVER_NAME').optional().register(VARIABLE_GUIDE, {
    about: "The name in the server's certificate, where it differs from the host of `TEMPORAL_ADDRESS`.",
    unset: 'the host of `TEMPORAL_ADDRESS`',
    readBy: READ_BY,
    fault: NEEDS_TLS,
  }),
  TEMPORAL_API_KEY: z
    .string()
    .trim()
    // The sentence does not repeat the value, since it is a secret.
    .regex(/^[\x21-\x7e]+$/, 'TEMPORAL_API_KEY must be one word of ASCII characters, as Temporal Cloud shows it.')
    .optional()
    .register(VARIABLE_GUIDE, {
      about: 'The API key of Temporal Cloud.',
      unset: 'no API key',
      readBy: READ_BY,
      fault: `${NEEDS_TLS} It also fails if the server refuses the key.`,
    }),
  TEMPORAL_API_KEY_FILE: z
    .string()
    .trim()
    .refine(isAbsolute, { error: mustBe('TEMPORAL_API_KEY_FILE', 'the absolute path of a file, such as /run/secrets/temporal') })
    .optional()
    .register(VARIABLE_GUIDE, {
      about:
        'A file that holds the API key. A worker looks every two seconds whether it has changed, so that a key is replaced without a restart.',
      unset: 'no API key',
      readBy: READ_BY,
      fault: `${NEEDS_TLS} It also fails with \`TEMPORAL_API_KEY\`, or if the file cannot be read or holds no key.`,
    }),
})

type Environment = z.infer<typeof TEMPORAL>

export function temporalSecurity(env: Environment): TemporalSecurity {
  const { TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key, TEMPORAL_API_KEY, TEMPORAL_API_KEY_FILE } = env
  const client = cert === undefined || key === undefined ? undefined : { cert, key }
  const tls = { ca: env.TEMPORAL_TLS_CA, client, serverName: env.TEMPORAL_SERVER_NAME }
  return { tls: env.TEMPORAL_TLS === 'on' ? tls : undefined, apiKey: apiKeyOf(TEMPORAL_API_KEY, TEMPORAL_API_KEY_FILE) }
}

export function refuseHalfSetTemporal(env: Environment & { TEMPORAL_ADDRESS?: string | undefined }, context: z.RefinementCtx): void {
  const refuse = (message: string) => context.addIssue({ code: 'custom', message })
  const first = NEEDING_TLS.find((name) => env[name] !== undefined)
  if (env.TEMPORAL_TLS === 'off' && first !== undefined)
    refuse(`TEMPORAL_TLS must be on when ${first} is set: no key or certificate is used on a connection that is not encrypted.`)
  if (env.TEMPORAL_TLS === 'on' && env.TEMPORAL_ADDRESS === undefined)
    refuse('TEMPORAL_ADDRESS must be set when TEMPORAL_TLS is on: the embedded Temporal is reached without encryption.')
  const absent = (['TEMPORAL_TLS_CERT', 'TEMPORAL_TLS_KEY'] as const).filter((name) => env[name] === undefined)
  if (absent.length === 1) refuse(`TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY must be set together; ${absent[0]} is not set.`)
  if (env.TEMPORAL_API_KEY !== undefined && env.TEMPORAL_API_KEY_FILE !== undefined)
    refuse('TEMPORAL_API_KEY and TEMPORAL_API_KEY_FILE must not both be set; keep the one that holds the key.')
}

const NEEDING_TLS = [
  'TEMPORAL_TLS_CA',
  'TEMPORAL_TLS_CERT',
  'TEMPORAL_TLS_KEY',
  'TEMPORAL_SERVER_NAME',
  'TEMPORAL_API_KEY',
  'TEMPORAL_API_KEY_FILE',
] as const

function apiKeyOf(key: string | undefined, file: string | undefined): TemporalSecurity['apiKey'] {
  if (key !== undefined) return { key }
  return file === undefined ? undefined : { file }
}

/** Parses a PEM text or the path of its file. The sentence does not repeat the value, which may be a private key. */
function pem(name: string) {
  return z
    .string()
    .trim()
    .transform((text) => (isPem(text) ? text.replaceAll('\\n', '\n') : text))
    .refine((text) => isPem(text) || isAbsolute(text), `${name} must be the absolute path of a PEM file, or the text of one.`)
    .optional()
}

/** Returns true if a value of `TEMPORAL_TLS_*` is PEM text rather than the path of a file. */
export function isPem(text: string): boolean {
  return text.includes('-----BEGIN ')
}
