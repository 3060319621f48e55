import { z } from 'zod'
import { count, isAddressOrRange, isHostAndPort, key, mustBe, port, rate, shared, store, url } from './configForms.ts'

/** What docs/configuration.md says of a variable; its form, its default and its error message come from the schema itself. */
export interface VariableGuide {
  /** The unit included. */
  readonly about: string
  readonly readBy: readonly ('start' | 'API' | 'worker' | 'SFTP' | 'commands')[]
  /** What holds when it is not set and the schema has no default. */
  readonly unset?: string
  /** What else can be wrong with it than its form, and what happens then. */
  readonly fault?: string
}
export const VARIABLE_GUIDE = z.registry<VariableGuide>()

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const MODES = ['sandbox', 'production'] as const
const SEEDS = ['catalogs', 'none'] as const
const IS_TAKEN = 'Startup also fails if another program uses the port.'
const DATABASE_FORM = 'a URL such as postgres://user:password@host:5432/database'
const DATABASE = ['postgres:', 'postgresql:']

const ENGINES = z.object({
  DATA_DIR: z
    .string()
    .default('.data')
    .register(VARIABLE_GUIDE, {
      about:
        'The directory of everything embedded, `credentials.json` included. With engines elsewhere it still holds the uploads (`objects`) and ' +
        'the file drops (`drops`), which API and workers share unless `OBJECTS_URL` and `DROPS_URL` say otherwise, and `secrets.key`. Deleting it is a fresh start.',
      readBy: ['start', 'API', 'worker', 'SFTP', 'commands'],
      fault: 'Startup fails if the directory cannot be written, its path contains `?`, `#` or `%`, or another `npm start` uses it.',
    }),
  DATABASE_URL: url('DATABASE_URL', DATABASE, DATABASE_FORM).register(VARIABLE_GUIDE, {
    about: 'Uses this PostgreSQL database, version 15 or newer, instead of the embedded one.',
    unset: 'embedded PostgreSQL; API and worker require it when they run alone',
    readBy: ['start', 'API', 'worker', 'SFTP', 'commands'],
    fault: '`npm start` also fails if the database does not answer or is too old.',
  }),
  API_DATABASE_URL: url('API_DATABASE_URL', DATABASE, DATABASE_FORM).register(VARIABLE_GUIDE, {
    about:
      'The same database as a user that serves the API alone, see the [runbook](runbook.md#a-user-for-the-api). `npm start` hands it to the API.',
    unset: '`DATABASE_URL`; the embedded database has a user of its own for the API',
    readBy: ['start'],
  }),
  TEMPORAL_ADDRESS: z
    .string()
    .trim()
    .refine(isHostAndPort, { error: mustBe('TEMPORAL_ADDRESS', 'host:port') })
    .optional()
    .register(VARIABLE_GUIDE, {
      about: 'Uses this Temporal service instead of the embedded one.',
      unset: 'embedded Temporal; a worker requires it when it runs alone',
      readBy: ['start', 'worker', 'commands'],
      fault: '`npm start` also fails if the service does not answer; a worker waits for it.',
    }),
  TEMPORAL_NAMESPACE: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/, {
      error: mustBe('TEMPORAL_NAMESPACE', 'made of at most 200 letters, digits, dots, dashes and underscores'),
    })
    .default('default')
    .register(VARIABLE_GUIDE, {
      about: 'The Temporal namespace. Each marketplace needs its own.',
      readBy: ['start', 'worker', 'commands'],
      fault: '`npm start` also fails if a Temporal service of yours does not have the namespace.',
    }),
  POSTGRES_PORT: port('POSTGRES_PORT').register(VARIABLE_GUIDE, {
    about: 'The port of the embedded PostgreSQL.',
    unset: 'a free port, kept across restarts',
    readBy: ['start', 'commands'],
    fault: IS_TAKEN,
  }),
  TEMPORAL_PORT: port('TEMPORAL_PORT').register(VARIABLE_GUIDE, {
    about: 'The port of the embedded Temporal.',
    unset: 'a free port, kept across restarts',
    readBy: ['start'],
    fault: IS_TAKEN,
  }),
  TEMPORAL_UI_PORT: port('TEMPORAL_UI_PORT').register(VARIABLE_GUIDE, {
    about: 'The port of the embedded Temporal UI.',
    unset: 'a free port, kept across restarts',
    readBy: ['start'],
    fault: IS_TAKEN,
  }),
  AMQP_URL: z
    .string()
    .trim()
    .refine(
      (text) => /^amqps?:\/\/[^/]/.test(text) && URL.canParse(text),
      'AMQP_URL must be a URL such as amqp://user:password@host:5672/vhost.',
    )
    .optional()
    .register(VARIABLE_GUIDE, {
      about: 'A message broker (AMQP 0-9-1, such as RabbitMQ) for `PUT /events/queue`.',
      unset: 'no broker; `PUT /events/queue` answers 422',
      readBy: ['API', 'worker'],
      fault: 'While the broker is away `PUT /events/queue` answers 503 and the worker tries again.',
    }),
})

const STORE_FAULT =
  'Startup also fails if bucket, region or credential are wrong or the directory cannot be written; a store that does not answer is waited for.'

const STORES = z.object({
  OBJECTS_URL: store('OBJECTS_URL').register(VARIABLE_GUIDE, {
    about:
      'Where uploads are kept, see the [runbook](runbook.md#file-stores). The credential is what the AWS SDK finds: `AWS_ACCESS_KEY_ID` and ' +
      '`AWS_SECRET_ACCESS_KEY`, a profile, or the role of the process.',
    unset: 'the directory `objects` in `DATA_DIR`',
    readBy: ['start', 'API', 'worker'],
    fault: STORE_FAULT,
  }),
  DROPS_URL: store('DROPS_URL').register(VARIABLE_GUIDE, {
    about: 'Where sellers drop files: `{seller}/{drop_id}/{filename}`. Not within `OBJECTS_URL`, nor around it.',
    unset: 'the directory `drops` in `DATA_DIR`',
    readBy: ['start', 'API', 'worker', 'SFTP'],
    fault: STORE_FAULT,
  }),
})

const API = z.object({
  PORT: port('PORT').register(VARIABLE_GUIDE, {
    about: 'The port of the API.',
    unset: '8080; `npm start` takes another when 8080 is in use',
    readBy: ['start', 'API'],
    fault: 'Startup also fails if PORT is set and already in use; without it, when the API runs alone and 8080 is in use.',
  }),
  HOST: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9.:_-]+$/, { error: mustBe('HOST', 'a host name or an address without port') })
    .optional()
    .register(VARIABLE_GUIDE, {
      about: 'The address on which the API and the SFTP server listen.',
      unset: '`127.0.0.1` in the sandbox, `0.0.0.0` in production',
      readBy: ['start', 'API', 'SFTP'],
      fault: 'Startup also fails if the machine does not have the address.',
    }),
  MODE: z
    .enum(MODES, { error: mustBe('MODE', 'sandbox or production') })
    .optional()
    .register(VARIABLE_GUIDE, {
      about: 'The sandbox has seeded tenants and honors `as_of`.',
      unset: '`sandbox`, or `production` when `DATABASE_URL` is set',
      readBy: ['start', 'API', 'worker', 'SFTP', 'commands'],
      fault: '`npm run demo` runs in the sandbox only.',
    }),
  SEED: z
    .enum(SEEDS, { error: mustBe('SEED', 'catalogs or none') })
    .default('catalogs')
    .register(VARIABLE_GUIDE, {
      about: 'What the sellers of the sandbox publish at the first start: `catalogs`, those of `docs/examples`, or `none`.',
      readBy: ['start'],
    }),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((proxy) => proxy.trim()))
    .refine(
      (proxies) => proxies.every(isAddressOrRange),
      'TRUSTED_PROXIES must be addresses or ranges, comma-separated, such as 10.0.0.0/8,::1.',
    )
    .optional()
    .register(VARIABLE_GUIDE, {
      about:
        'The proxies before the API. `X-Forwarded-For` counts from these addresses only: the audit log reads from it where a request came from.',
      unset: 'none; the address of the connection counts',
      readBy: ['API'],
    }),
  ALLOW_LOOPBACK_TARGETS: z
    .enum(['true', 'false', '1', '0'], { error: mustBe('ALLOW_LOOPBACK_TARGETS', 'true or false') })
    .transform((text) => text === 'true' || text === '1')
    .optional()
    .register(VARIABLE_GUIDE, {
      about: "Whether webhooks and sellers' own APIs may be servers on this machine.",
      unset: '`true` in the sandbox, `false` in production',
      readBy: ['API', 'worker'],
    }),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: mustBe('LOG_LEVEL', `one of ${LOG_LEVELS.join(', ')}`) })
    .default('info')
    .register(VARIABLE_GUIDE, { about: 'The least severe log lines that are written.', readBy: ['API', 'worker', 'SFTP'] }),
})

const SFTP = z.object({
  SFTP_PORT: port('SFTP_PORT').register(VARIABLE_GUIDE, {
    about: 'The port of the SFTP server, on the address of `HOST`.',
    unset: 'in the sandbox a free port, kept across restarts; in production no SFTP server runs',
    readBy: ['start', 'SFTP'],
    fault: IS_TAKEN,
  }),
  SFTP_HOST_KEY: z
    .string()
    .transform((text) => (text.includes('PRIVATE KEY') ? text.replaceAll('\\n', '\n') : Buffer.from(text, 'base64').toString('utf8')))
    .refine(
      (text) => text.includes('PRIVATE KEY'),
      'SFTP_HOST_KEY must be an ed25519 private key, the text or its base64, as ssh-keygen -t ed25519 -N "" writes it.',
    )
    .optional()
    .register(VARIABLE_GUIDE, {
      about: 'The key with which the SFTP server proves itself, see the [runbook](runbook.md#sftp).',
      unset: '`sftp_host_key` in `DATA_DIR`, made at the first start',
      readBy: ['start', 'SFTP'],
      fault: 'Startup also fails if the key is of another type or has a passphrase.',
    }),
  SFTP_SPOOL_BYTES: shared('SFTP_SPOOL_BYTES', '2147483648/8589934592').register(VARIABLE_GUIDE, {
    about: 'Bytes of files in `DATA_DIR` while they are sent over SFTP: of one seller, and of all. Beyond it a write fails.',
    readBy: ['SFTP'],
  }),
})

const SECRETS = z.object({
  SECRETS_KEY: key('SECRETS_KEY').register(VARIABLE_GUIDE, {
    about:
      'The key under which secrets are encrypted at rest: 32 bytes in base64 (`openssl rand -base64 32`), the same for API, worker and SFTP server.',
    unset: '`secrets.key` in `DATA_DIR`, made at the first start',
    readBy: ['start', 'API', 'worker', 'SFTP', 'commands'],
    fault: 'Startup also fails if the database knows another key.',
  }),
  SECRETS_KEY_PREVIOUS: key('SECRETS_KEY_PREVIOUS').register(VARIABLE_GUIDE, {
    about: 'The key before, while `npm run secrets:rotate-key` encrypts everything under the new one.',
    unset: 'none',
    readBy: ['start', 'API', 'worker', 'SFTP', 'commands'],
    fault: '`npm run secrets:rotate-key` requires it when `SECRETS_KEY` is set.',
  }),
})

const LIMITS = z.object({
  RATE_LIMITS: z
    .enum(['on', 'off'], { error: mustBe('RATE_LIMITS', 'on or off') })
    .default('on')
    .register(VARIABLE_GUIDE, {
      about: '`off` switches the four rate limits below off.',
      readBy: ['API'],
    }),
  RATE_LIMIT_REQUESTS: rate('RATE_LIMIT_REQUESTS', '50/100').register(VARIABLE_GUIDE, {
    about: 'Requests of one credential: per second, and the most at once. Beyond it 429.',
    readBy: ['API'],
  }),
  RATE_LIMIT_ORDERS: rate('RATE_LIMIT_ORDERS', '20/40').register(VARIABLE_GUIDE, {
    about: '`POST /orders` of one credential: per second, and the most at once. Beyond it 429.',
    readBy: ['API'],
  }),
  RATE_LIMIT_FEED: rate('RATE_LIMIT_FEED', '5/10').register(VARIABLE_GUIDE, {
    about: '`GET /events/feed` of one credential: per second, and the most at once. Beyond it 429.',
    readBy: ['API'],
  }),
  RATE_LIMIT_BYTES: rate('RATE_LIMIT_BYTES', '4194304/67108864').register(VARIABLE_GUIDE, {
    about: 'Bytes of request bodies of one tenant: per second, and the most at once. Beyond it 429.',
    readBy: ['API'],
  }),
  BODY_BYTES: shared('BODY_BYTES', '67108864/268435456').register(VARIABLE_GUIDE, {
    about: 'Bytes of request bodies, from their first byte until they are answered: of one tenant (beyond it 429), and of all (503).',
    readBy: ['API'],
  }),
  REPLY_BYTES: shared('REPLY_BYTES', '67108864/268435456').register(VARIABLE_GUIDE, {
    about: 'Bytes of replies that clients have not read yet: of one tenant (beyond it 429), and of all (503).',
    readBy: ['API'],
  }),
  SPOOL_BYTES: shared('SPOOL_BYTES', '268435456/2147483648').register(VARIABLE_GUIDE, {
    about:
      'Bytes of large replies kept in `DATA_DIR` for clients that read slowly: of one tenant (beyond it 429), and of all (beyond it a slow client is disconnected).',
    readBy: ['API'],
  }),
  CONNECTIONS: shared('CONNECTIONS', '1000/5000').register(VARIABLE_GUIDE, {
    about:
      'Connections from one address, of IPv6 from one `/64` (beyond it 429), and of all (503). Those of `TRUSTED_PROXIES` count among all only.',
    readBy: ['API'],
  }),
  UPLOAD_MAX_BYTES: count('UPLOAD_MAX_BYTES', 25 * 1024 * 1024).register(VARIABLE_GUIDE, {
    about: 'Bytes of the largest upload.',
    readBy: ['API'],
  }),
  UPLOAD_TTL_HOURS: count('UPLOAD_TTL_HOURS', 72, { most: 87_600 }).register(VARIABLE_GUIDE, {
    about: 'Hours until an upload that no order references expires.',
    readBy: ['API'],
  }),
  UPLOADS_PER_DAY: count('UPLOADS_PER_DAY', 200, { least: 0 }).register(VARIABLE_GUIDE, {
    about: 'Uploads that a buyer may announce in 24 hours; 0 is no limit. Beyond it 429.',
    readBy: ['API'],
  }),
  DROPS_PER_DAY: count('DROPS_PER_DAY', 500, { least: 0 }).register(VARIABLE_GUIDE, {
    about: 'File drops that a seller may register in 24 hours, and drops into which it may put files; 0 is no limit. Beyond it 429.',
    readBy: ['API', 'worker', 'SFTP'],
  }),
  PRODUCTS_PER_SELLER: count('PRODUCTS_PER_SELLER', 100_000, { most: 10_000_000 }).register(VARIABLE_GUIDE, {
    about: 'Products of a seller, withdrawn ones not counted. Beyond it a new product is INVALID_ENTRY.',
    readBy: ['API'],
  }),
  HOLDS_PER_BUYER: count('HOLDS_PER_BUYER', 200).register(VARIABLE_GUIDE, {
    about: 'Open holds of a buyer with all sellers. Beyond it 422.',
    readBy: ['API'],
  }),
  HOLDS_PER_SELLER: count('HOLDS_PER_SELLER', 50).register(VARIABLE_GUIDE, {
    about: 'Open holds of a buyer with one seller. Beyond it 422.',
    readBy: ['API'],
  }),
})

/** Every environment variable of the service by what it is about: a section of docs/configuration.md each. */
export const VARIABLE_GROUPS = { Engines: ENGINES, 'The service': API, SFTP, 'File stores': STORES, Secrets: SECRETS, Limits: LIMITS }

export const ENVIRONMENT = z.object({ ...ENGINES.shape, ...API.shape, ...SFTP.shape, ...STORES.shape, ...SECRETS.shape, ...LIMITS.shape })
