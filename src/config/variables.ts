import { z } from 'zod'
import { ENGINES } from './engines.ts'
import { host, isAddressOrRange, key, mustBe, port, store, url } from './forms.ts'
import { IS_TAKEN, VARIABLE_GUIDE } from './guide.ts'
import { LIMITS } from './limits.ts'
import { MAIL } from './mail.ts'
import { SIGN_ON } from './signOn.ts'
import { TEMPORAL } from './temporal.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const MODES = ['sandbox', 'production'] as const
const SEEDS = ['catalogs', 'none'] as const
const CONSOLE_BUILDS = ['auto', 'off'] as const

const STORE_FAULT =
  'Startup also fails if bucket, region or credential are wrong or the directory cannot be written; a store that does not answer is waited for.'

const STORES = z.object({
  OBJECTS_URL: store('OBJECTS_URL').register(VARIABLE_GUIDE, {
    about:
      'Where uploads are kept, see [File stores](file-stores.md). The credential is what the AWS SDK finds: `AWS_ACCESS_KEY_ID` and ' +
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
  HOST: host('HOST')
    .optional()
    .register(VARIABLE_GUIDE, {
      about: 'The address on which the API, the SFTP server and the bounce server listen.',
      unset: '`127.0.0.1` in the sandbox, `0.0.0.0` in production',
      readBy: ['start', 'API', 'SFTP', 'bounces'],
      fault: 'Startup also fails if the machine does not have the address.',
    }),
  MODE: z
    .enum(MODES, { error: mustBe('MODE', 'sandbox or production') })
    .optional()
    .register(VARIABLE_GUIDE, {
      about: 'The sandbox has seeded tenants and honors `as_of`.',
      unset: '`sandbox`, or `production` when `DATABASE_URL` is set',
      readBy: ['start', 'API', 'worker', 'SFTP', 'bounces', 'commands'],
      fault: '`npm run demo` runs in the sandbox only.',
    }),
  SEED: z
    .enum(SEEDS, { error: mustBe('SEED', 'catalogs or none') })
    .default('catalogs')
    .register(VARIABLE_GUIDE, {
      about:
        'What is on sale in the sandbox: `catalogs`, what its sellers publish at the first start, those of `docs/examples`, beside [the parties](../buy/sandbox.md) that act by themselves, or `none`.',
      readBy: ['start'],
    }),
  CONSOLE_BUILD: z
    .enum(CONSOLE_BUILDS, { error: mustBe('CONSOLE_BUILD', 'auto or off') })
    .default('auto')
    .register(VARIABLE_GUIDE, {
      about:
        'Whether a start of the sandbox builds the console in the background, if it has changed: `auto` or `off`. Never in production.',
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
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: mustBe('PUBLIC_URL', 'an http or https URL without path, such as https://orders.example.com') })
    .transform((text) => new URL(text))
    .refine(({ pathname, search, hash, username, password }) => pathname === '/' && `${search}${hash}${username}${password}` === '', {
      error: mustBe('PUBLIC_URL', 'an http or https URL without path, such as https://orders.example.com'),
    })
    .optional()
    .register(VARIABLE_GUIDE, {
      about:
        'Where browsers reach the service: scheme and host of the session cookie, and where an issuer sends people back to. Personas of a sandbox sign in ' +
        'there and on this machine only.',
      unset: 'the address of each request; cookies are `Secure` except on this machine',
      readBy: ['API'],
    }),
  CONSOLE_TOKEN_SIGN_IN: z
    .enum(['true', 'false', '1', '0'], { error: mustBe('CONSOLE_TOKEN_SIGN_IN', 'true or false') })
    .transform((text) => text === 'true' || text === '1')
    .optional()
    .register(VARIABLE_GUIDE, {
      about: 'Whether a token of the service opens a session in a browser in production. In the sandbox it does.',
      unset: '`false`',
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
    .register(VARIABLE_GUIDE, { about: 'The least severe log lines that are written.', readBy: ['API', 'worker', 'SFTP', 'bounces'] }),
})

/** The samplers of OpenTelemetry's specification that its library has. */
const TRACE_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

const METRICS = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'], 'a URL such as http://collector:4318').register(
    VARIABLE_GUIDE,
    {
      about:
        'Where traces are sent by OTLP over HTTP (protobuf, to `/v1/traces` below it), see [Traces](traces.md). OpenTelemetry’s own variables, such as ' +
        '`OTEL_EXPORTER_OTLP_HEADERS`, are read too.',
      unset: 'there are no traces, and their library is not loaded',
      readBy: ['API', 'worker'],
    },
  ),
  OTEL_TRACES_SAMPLER: z
    .enum(TRACE_SAMPLERS, { error: mustBe('OTEL_TRACES_SAMPLER', `one of ${TRACE_SAMPLERS.join(', ')}`) })
    .optional()
    .register(VARIABLE_GUIDE, {
      about:
        'Which traces are recorded, by a sampler of OpenTelemetry: `parentbased_always_on` records all that their senders record, `traceidratio` with ' +
        '`OTEL_TRACES_SAMPLER_ARG=0.1` one in ten.',
      unset: 'an API process records 5 requests a second to each endpoint, and 20 at once',
      readBy: ['API', 'worker'],
    }),
  OTEL_SDK_DISABLED: z
    .string()
    .regex(/^(true|false)$/i, { error: mustBe('OTEL_SDK_DISABLED', 'true or false') })
    .transform((text) => text.toLowerCase() === 'true')
    .optional()
    .register(VARIABLE_GUIDE, {
      about: 'Whether traces are switched off, also where `OTEL_EXPORTER_OTLP_ENDPOINT` is set.',
      unset: '`false`',
      readBy: ['API', 'worker'],
    }),
  METRICS_PORT: port('METRICS_PORT', 65531).register(VARIABLE_GUIDE, {
    about:
      'The port on which a process serves its [metrics](metrics.md), `/healthz` and `/readyz`. A worker also serves those of its Temporal client, on the next port. ' +
      '`npm start` gives the API this port, the worker the next two, the SFTP server the fourth and the bounce server the fifth.',
    unset: 'no metrics are served',
    readBy: ['start', 'API', 'worker', 'SFTP', 'bounces'],
    fault: IS_TAKEN,
  }),
  METRICS_HOST: host('METRICS_HOST')
    .default('0.0.0.0')
    .register(VARIABLE_GUIDE, {
      about: 'The address on which metrics are served. They are for operators: let no tenant reach it.',
      readBy: ['API', 'worker', 'SFTP', 'bounces'],
      fault: 'Startup also fails if the machine does not have the address.',
    }),
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
      about:
        'The key with which the SFTP server proves itself, see [The host key](sftp.md#the-host-key). An ECDSA and an RSA key may stand beside it, for clients that know no ed25519.',
      unset: '`sftp_host_key`, `sftp_host_key_ecdsa` and `sftp_host_key_rsa` in `DATA_DIR`, made at the first start',
      readBy: ['start', 'SFTP'],
      fault: 'Startup also fails if none of the keys is an ed25519 key without a passphrase.',
    }),
})

const SECRETS = z.object({
  SECRETS_KEY: key('SECRETS_KEY').register(VARIABLE_GUIDE, {
    about:
      'The key under which secrets are encrypted at rest: 32 bytes in base64 (`openssl rand -base64 32`), the same for API, worker, SFTP server and bounce server.',
    unset: '`secrets.key` in `DATA_DIR`, made at the first start',
    readBy: ['start', 'API', 'worker', 'SFTP', 'bounces', 'commands'],
    fault: 'Startup also fails if the database knows another key.',
  }),
  SECRETS_KEY_PREVIOUS: key('SECRETS_KEY_PREVIOUS').register(VARIABLE_GUIDE, {
    about: 'The key before, while `npm run secrets:rotate-key` encrypts everything under the new one.',
    unset: 'none',
    readBy: ['start', 'API', 'worker', 'SFTP', 'bounces', 'commands'],
    fault: '`npm run secrets:rotate-key` requires it when `SECRETS_KEY` is set.',
  }),
})

/** Every environment variable of the service by topic; each topic is a section of docs/operate/configuration.md. */
export const VARIABLE_GROUPS = {
  Engines: ENGINES,
  'Temporal elsewhere': TEMPORAL,
  'The service': API,
  'Sign-on': SIGN_ON,
  Metrics: METRICS,
  SFTP,
  Mail: MAIL,
  'File stores': STORES,
  Secrets: SECRETS,
  Limits: LIMITS,
}

export const ENVIRONMENT = z.object({
  ...ENGINES.shape,
  ...TEMPORAL.shape,
  ...API.shape,
  ...SIGN_ON.shape,
  ...METRICS.shape,
  ...SFTP.shape,
  ...MAIL.shape,
  ...STORES.shape,
  ...SECRETS.shape,
  ...LIMITS.shape,
})
