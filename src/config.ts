import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'

export type Config = z.infer<typeof Settings>

/** How often a credential may ask: requests a second, and the most at once. */
export interface RateLimit {
  perSecond: number
  burst: number
}
export type RateLimits = Record<'requests' | 'orders' | 'feed' | 'bytes', RateLimit>

/** How much may be held at once: by one tenant or address, and by all of them. */
export interface Shared {
  one: number
  all: number
}

/** What buyers may upload. `perDay` counts mints of one buyer in any 24 hours; 0 is no limit. */
export interface UploadLimits {
  maxBytes: number
  ttlHours: number
  perDay: number
}

/** A setting that cannot be used; the message is one sentence that says what to change. */
export class ConfigFault extends Error {
  override name = 'ConfigFault'
}

/** The whole environment, read once; nothing else in the product looks at process.env for its settings. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  // `PORT=` in an env file or a compose file means "not set".
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const read = Settings.safeParse(given)
  if (read.success) return read.data
  throw new ConfigFault(read.error.issues[0]?.message ?? 'The environment cannot be read.')
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const MODES = ['sandbox', 'production'] as const
const SEEDS = ['catalogs', 'none'] as const

const Environment = z.object({
  PORT: port('PORT'),
  HOST: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9.:_-]+$/, { error: says('HOST', 'a host name or an address without port') })
    .optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: url('DATABASE_URL', ['postgres:', 'postgresql:'], 'a URL such as postgres://user:password@host:5432/database'),
  API_DATABASE_URL: url('API_DATABASE_URL', ['postgres:', 'postgresql:'], 'a URL such as postgres://user:password@host:5432/database'),
  AMQP_URL: z
    .string()
    .trim()
    .refine(
      (text) => /^amqps?:\/\/[^/]/.test(text) && URL.canParse(text),
      'AMQP_URL must be a URL such as amqp://user:password@host:5672/vhost.',
    )
    .optional(),
  TEMPORAL_ADDRESS: z
    .string()
    .trim()
    .refine(isHostAndPort, { error: says('TEMPORAL_ADDRESS', 'host:port') })
    .optional(),
  TEMPORAL_NAMESPACE: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/, {
      error: says('TEMPORAL_NAMESPACE', 'made of at most 200 letters, digits, dots, dashes and underscores'),
    })
    .default('default'),
  TEMPORAL_PORT: port('TEMPORAL_PORT'),
  TEMPORAL_UI_PORT: port('TEMPORAL_UI_PORT'),
  POSTGRES_PORT: port('POSTGRES_PORT'),
  MODE: z.enum(MODES, { error: says('MODE', 'sandbox or production') }).optional(),
  SEED: z.enum(SEEDS, { error: says('SEED', 'catalogs or none') }).default('catalogs'),
  ALLOW_LOOPBACK_TARGETS: z
    .enum(['true', 'false', '1', '0'], { error: says('ALLOW_LOOPBACK_TARGETS', 'true or false') })
    .transform((text) => text === 'true' || text === '1')
    .optional(),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((proxy) => proxy.trim()))
    .refine(
      (proxies) => proxies.every(isAddressOrRange),
      'TRUSTED_PROXIES must be addresses or ranges, comma-separated, such as 10.0.0.0/8,::1.',
    )
    .optional(),
  SECRETS_KEY: key('SECRETS_KEY'),
  SECRETS_KEY_PREVIOUS: key('SECRETS_KEY_PREVIOUS'),
  RATE_LIMITS: z.enum(['on', 'off'], { error: says('RATE_LIMITS', 'on or off') }).default('on'),
  RATE_LIMIT_REQUESTS: rate('RATE_LIMIT_REQUESTS', '50/100'),
  RATE_LIMIT_ORDERS: rate('RATE_LIMIT_ORDERS', '20/40'),
  RATE_LIMIT_FEED: rate('RATE_LIMIT_FEED', '5/10'),
  RATE_LIMIT_BYTES: rate('RATE_LIMIT_BYTES', '4194304/67108864'),
  BODY_BYTES: shared('BODY_BYTES', '67108864/268435456'),
  REPLY_BYTES: shared('REPLY_BYTES', '67108864/268435456'),
  CONNECTIONS: shared('CONNECTIONS', '1000/5000'),
  UPLOAD_MAX_BYTES: count('UPLOAD_MAX_BYTES', 25 * 1024 * 1024),
  UPLOAD_TTL_HOURS: count('UPLOAD_TTL_HOURS', 72, { most: 87_600 }),
  UPLOADS_PER_DAY: count('UPLOADS_PER_DAY', 200, { least: 0 }),
  PRODUCTS_PER_SELLER: count('PRODUCTS_PER_SELLER', 100_000, { most: 10_000_000 }),
  HOLDS_PER_BUYER: count('HOLDS_PER_BUYER', 200),
  HOLDS_PER_SELLER: count('HOLDS_PER_SELLER', 50),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: says('LOG_LEVEL', `one of ${LOG_LEVELS.join(', ')}`) }).default('info'),
})

const Settings = Environment.superRefine(refuseOnePortForTwo).transform((env) => {
  const mode = env.MODE ?? (env.DATABASE_URL === undefined ? 'sandbox' : 'production')
  return {
    mode,
    port: env.PORT ?? 8080,
    /** An asked-for port that is taken stops the start; a default one gives way to another. */
    portAskedFor: env.PORT !== undefined,
    host: env.HOST ?? (mode === 'sandbox' ? '127.0.0.1' : '0.0.0.0'),
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    /** The same database as a user who is nothing but the API: what the API is started with. */
    apiDatabaseUrl: env.API_DATABASE_URL,
    /** The message broker; without one nothing is delivered to queues. */
    amqpUrl: env.AMQP_URL,
    temporalAddress: env.TEMPORAL_ADDRESS,
    temporalNamespace: env.TEMPORAL_NAMESPACE,
    temporalPort: env.TEMPORAL_PORT,
    temporalUiPort: env.TEMPORAL_UI_PORT,
    postgresPort: env.POSTGRES_PORT,
    /** What the sandbox's sellers have published at the first start. */
    seed: env.SEED,
    allowLoopbackTargets: env.ALLOW_LOOPBACK_TARGETS ?? mode === 'sandbox',
    /** Only these may say by X-Forwarded-For where a request came from. */
    trustedProxies: env.TRUSTED_PROXIES,
    /** What secrets are encrypted with at rest; unset, the file `secrets.key` in the data directory. */
    secretsKey: env.SECRETS_KEY,
    /** The one before, until everything is encrypted under the new one. */
    secretsKeyPrevious: env.SECRETS_KEY_PREVIOUS,
    rateLimits:
      env.RATE_LIMITS === 'off'
        ? undefined
        : {
            requests: env.RATE_LIMIT_REQUESTS,
            orders: env.RATE_LIMIT_ORDERS,
            feed: env.RATE_LIMIT_FEED,
            bytes: env.RATE_LIMIT_BYTES,
          },
    bodyBytes: env.BODY_BYTES,
    replyBytes: env.REPLY_BYTES,
    connections: env.CONNECTIONS,
    uploads: { maxBytes: env.UPLOAD_MAX_BYTES, ttlHours: env.UPLOAD_TTL_HOURS, perDay: env.UPLOADS_PER_DAY } satisfies UploadLimits,
    /** Products that a seller may have, withdrawn ones aside. */
    productsPerSeller: env.PRODUCTS_PER_SELLER,
    /** Holds of one buyer that may stand, in all and with one seller. */
    holdBounds: { perBuyer: env.HOLDS_PER_BUYER, perSeller: env.HOLDS_PER_SELLER },
    logLevel: env.LOG_LEVEL,
  }
})

function port(name: string) {
  const error = says(name, 'a whole number from 1 to 65535')
  return z
    .string()
    .trim()
    .regex(/^\d{1,5}$/, { error })
    .transform(Number)
    .refine((number) => number >= 1 && number <= 65535, { error })
    .optional()
}

function key(name: string) {
  return z
    .string()
    .trim()
    .refine(
      (text) => /^[A-Za-z0-9+/]{43}=$/.test(text),
      `${name} must be 32 random bytes in base64, as openssl rand -base64 32 prints them.`,
    )
    .transform((text) => Buffer.from(text, 'base64'))
    .optional()
}

function isHostAndPort(text: string): boolean {
  const [, port] = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):(\d{1,5})$/.exec(text) ?? []
  return Number(port) >= 1 && Number(port) <= 65_535
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  return (
    version !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  )
}

function count(name: string, standard: number, { least = 1, most = 9_999_999_999 } = {}) {
  const error = says(name, `a whole number from ${least} to ${most}`)
  return z
    .string()
    .trim()
    .regex(/^\d{1,10}$/, { error })
    .default(String(standard))
    .transform(Number)
    .refine((number) => number >= least && number <= most, { error })
}

/** How many a second and the most at once, as `50/100`. */
function rate(name: string, standard: string) {
  const error = says(name, `two whole numbers from 1, how many a second and at least as many at once, such as ${standard}`)
  return pair(standard, error).transform(([perSecond, burst]): RateLimit => ({ perSecond, burst }))
}

/** The most that one may hold and the most that all may, as `1000/5000`. */
function shared(name: string, standard: string) {
  const error = says(name, `two whole numbers from 1, the most for one and at least as many for all, such as ${standard}`)
  return pair(standard, error).transform(([one, all]): Shared => ({ one, all }))
}

function pair(standard: string, error: ReturnType<typeof says>) {
  const numbersOf = (text: string) => text.split('/').map(Number) as [number, number]
  return z
    .string()
    .trim()
    .regex(/^[1-9]\d{0,9}\/[1-9]\d{0,9}$/, { error })
    .refine((text) => numbersOf(text)[0] <= numbersOf(text)[1], { error })
    .default(standard)
    .transform(numbersOf)
}

function url(name: string, schemes: string[], form: string) {
  // A database URL holds a password, so the sentence does not repeat it.
  const isOne = (text: string) => URL.canParse(text) && schemes.includes(new URL(text).protocol)
  return z.string().trim().refine(isOne, `${name} must be ${form}.`).optional()
}

function says(name: string, form: string) {
  return (issue: { input?: unknown }) => `${name} must be ${form}; it is "${String(issue.input)}".`
}

type Ports = {
  PORT?: number | undefined
  TEMPORAL_PORT?: number | undefined
  TEMPORAL_UI_PORT?: number | undefined
  POSTGRES_PORT?: number | undefined
}

function refuseOnePortForTwo(env: Ports, context: z.RefinementCtx): void {
  const seen = new Map<number, string>()
  for (const name of ['PORT', 'POSTGRES_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT'] as const) {
    const number = env[name]
    if (number === undefined) continue
    const other = seen.get(number)
    if (other) context.addIssue({ code: 'custom', message: `${other} and ${name} must differ; both are ${number}.` })
    seen.set(number, name)
  }
}
