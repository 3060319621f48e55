import { join, resolve } from 'node:path'
import type { z } from 'zod'
import type { RateLimit } from './forms.ts'
import { HOLDS_PER_SELLER, REPLY_BYTES, SFTP_SPOOL_BYTES, SPOOL_BYTES, TRACES_PER_ENDPOINT } from './limits.ts'
import { overlaps, type StorageLocation } from './location.ts'
import { mailSettings, refuseHalfSetMail } from './mail.ts'
import { refuseHalfSetSignOn, signOnSettings } from './signOn.ts'
import { refuseHalfSetTemporal, temporalSecurity } from './temporal.ts'
import { ENVIRONMENT } from './variables.ts'

export type { RateLimit, SharedLimit } from './forms.ts'
export type { MailSettings } from './mail.ts'
export type { SignOnClient, SignOnSettings } from './signOn.ts'
export type { TemporalSecurity } from './temporal.ts'

export type Config = z.infer<typeof Settings>

export type RateLimits = Record<'requests' | 'orders' | 'previews' | 'feed' | 'bytes', RateLimit>

/** The limits of buyers' uploads. `perDay` counts the uploads that a buyer creates in any 24 hours; 0 is no limit. */
export interface UploadLimits {
  maxBytes: number
  ttlHours: number
  perDay: number
}

/** A setting that cannot be used; the message is one sentence that says what to change. */
export class ConfigFault extends Error {
  override name = 'ConfigFault'
}

/** Reads the whole environment once; no other module of the product reads its settings from process.env. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  // `PORT=` in an env file or a compose file means "not set".
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const read = Settings.safeParse(given)
  if (read.success) return read.data
  throw new ConfigFault(read.error.issues[0]?.message ?? 'The environment cannot be read.')
}

const Settings = ENVIRONMENT.superRefine(refuseOnePortForTwo)
  .superRefine(refuseHalfSetMail)
  .superRefine(refuseHalfSetTemporal)
  .superRefine(refuseHalfSetSignOn)
  .transform((env) => {
    const mode = env.MODE ?? (env.DATABASE_URL === undefined ? 'sandbox' : 'production')
    return {
      mode,
      port: env.PORT ?? 8080,
      /** Startup fails if PORT is set and already in use; the default port is replaced by another. */
      portAskedFor: env.PORT !== undefined,
      host: env.HOST ?? (mode === 'sandbox' ? '127.0.0.1' : '0.0.0.0'),
      dataDir: resolve(env.DATA_DIR),
      databaseUrl: env.DATABASE_URL,
      /** The same database under a user that has only the rights of the API; the API is started with it. */
      apiDatabaseUrl: env.API_DATABASE_URL,
      /** The message broker; if undefined, no events are delivered to queues. */
      amqpUrl: env.AMQP_URL,
      temporalAddress: env.TEMPORAL_ADDRESS,
      temporalNamespace: env.TEMPORAL_NAMESPACE,
      /** The release of this worker; if undefined, its workers take the tasks of all runs. */
      workerBuildId: env.WORKER_BUILD_ID,
      temporalSecurity: temporalSecurity(env),
      temporalPort: env.TEMPORAL_PORT,
      temporalUiPort: env.TEMPORAL_UI_PORT,
      postgresPort: env.POSTGRES_PORT,
      /** If undefined, there is no SFTP server in production; the sandbox takes any free port. */
      sftpPort: env.SFTP_PORT,
      sftpHostKey: env.SFTP_HOST_KEY,
      sftpSpoolBytes: SFTP_SPOOL_BYTES,
      /** If undefined, no mail is sent. In the sandbox `npm start` sets it to the sandbox's mailbox. */
      mail: mailSettings(env),
      /** The folder of the sandbox's mailbox; undefined in production. */
      mailbox: mode === 'sandbox' ? join(resolve(env.DATA_DIR), 'mail') : undefined,
      mailFrom: env.MAIL_FROM,
      mailBounceDomain: env.MAIL_BOUNCE_DOMAIN,
      /** If undefined, there is no bounce server. */
      mailInboundPort: env.MAIL_INBOUND_PORT,
      /** The data that the sandbox's sellers have published at the first start. */
      seed: env.SEED,
      buildsConsole: mode === 'sandbox' && env.CONSOLE_BUILD === 'auto',
      allowLoopbackTargets: env.ALLOW_LOOPBACK_TARGETS ?? mode === 'sandbox',
      /** The only proxies whose X-Forwarded-For is trusted to say where a request came from. */
      trustedProxies: env.TRUSTED_PROXIES,
      /** The key that encrypts secrets at rest; if unset, the file `secrets.key` in the data directory holds it. */
      secretsKey: env.SECRETS_KEY,
      /** The previous key, needed until every secret is encrypted with the new one. */
      secretsKeyPrevious: env.SECRETS_KEY_PREVIOUS,
      rateLimits:
        env.RATE_LIMITS === 'off'
          ? undefined
          : {
              requests: env.RATE_LIMIT_REQUESTS,
              orders: env.RATE_LIMIT_ORDERS,
              previews: env.RATE_LIMIT_PREVIEWS,
              feed: env.RATE_LIMIT_FEED,
              bytes: env.RATE_LIMIT_BYTES,
            },
      /** The stores of buyers' uploads and of sellers' drops. */
      objects: env.OBJECTS_URL ?? folder(env.DATA_DIR, 'objects'),
      drops: env.DROPS_URL ?? folder(env.DATA_DIR, 'drops'),
      /** The directory for incoming bytes before they go to a bucket. */
      scratch: join(resolve(env.DATA_DIR), 'incoming'),
      /** The directory that records which directories are stores. */
      records: join(resolve(env.DATA_DIR), 'stores'),
      bodyBytes: env.BODY_BYTES,
      replyBytes: REPLY_BYTES,
      spoolBytes: SPOOL_BYTES,
      connections: env.CONNECTIONS,
      uploads: { maxBytes: env.UPLOAD_MAX_BYTES, ttlHours: env.UPLOAD_TTL_HOURS, perDay: env.UPLOADS_PER_DAY } satisfies UploadLimits,
      /** The file drops that a seller may register in any 24 hours; 0 is no limit. */
      dropsPerDay: env.DROPS_PER_DAY,
      /** The bytes of all files that a seller may have in its drops; 0 is no limit. */
      dropBytesPerSeller: env.DROP_BYTES_PER_SELLER,
      /** The products that a seller may have, not counting withdrawn ones. */
      productsPerSeller: env.PRODUCTS_PER_SELLER,
      /** The open holds that one buyer may have, in total and with one seller. */
      holdBounds: { perBuyer: env.HOLDS_PER_BUYER, perSeller: HOLDS_PER_SELLER },
      /** If undefined, no metrics are served. */
      metricsPort: env.METRICS_PORT,
      metricsHost: env.METRICS_HOST,
      /** If undefined, no traces are written. */
      tracesUrl: env.OTEL_SDK_DISABLED ? undefined : env.OTEL_EXPORTER_OTLP_ENDPOINT,
      /** The traces that an API process records of one endpoint; if undefined, a sampler of OpenTelemetry decides. */
      tracesPerEndpoint: env.OTEL_TRACES_SAMPLER === undefined ? TRACES_PER_ENDPOINT : undefined,
      /** The URL at which browsers reach the service; it decides the scheme and host of cookies. */
      publicUrl: env.PUBLIC_URL,
      /** Whether tokens open sessions in production. */
      tokenSessions: env.CONSOLE_TOKEN_SIGN_IN ?? false,
      /** If undefined, only the service's own tokens are accepted. */
      signOn: signOnSettings(env),
      temporalUi: env.TEMPORAL_UI_URL,
      /** The base URL to which a run's id is appended to show the run in the Temporal UI. */
      temporalRuns: env.TEMPORAL_UI_URL && `${env.TEMPORAL_UI_URL}/namespaces/${env.TEMPORAL_NAMESPACE}/workflows/`,
      logLevel: env.LOG_LEVEL,
    }
  })
  .superRefine(refuseOneStoreForTwo)

function folder(dataDir: string, name: string): StorageLocation {
  return { kind: 'directory', path: join(resolve(dataDir), name) }
}

type Ports = {
  PORT?: number | undefined
  TEMPORAL_PORT?: number | undefined
  TEMPORAL_UI_PORT?: number | undefined
  POSTGRES_PORT?: number | undefined
  SFTP_PORT?: number | undefined
  MAIL_INBOUND_PORT?: number | undefined
  METRICS_PORT?: number | undefined
}

function refuseOnePortForTwo(env: Ports, context: z.RefinementCtx): void {
  const seen = new Map<number, string>()
  for (const name of [
    'PORT',
    'SFTP_PORT',
    'MAIL_INBOUND_PORT',
    'METRICS_PORT',
    'POSTGRES_PORT',
    'TEMPORAL_PORT',
    'TEMPORAL_UI_PORT',
  ] as const) {
    const number = env[name]
    if (number === undefined) continue
    const other = seen.get(number)
    if (other) context.addIssue({ code: 'custom', message: `${other} and ${name} must differ; both are ${number}.` })
    seen.set(number, name)
  }
}

/** Refuses one store for both, since uploads would be read as drops of a seller called "uploads". */
function refuseOneStoreForTwo({ objects, drops }: { objects: StorageLocation; drops: StorageLocation }, context: z.RefinementCtx): void {
  if (overlaps(objects, drops))
    context.addIssue({ code: 'custom', message: 'OBJECTS_URL and DROPS_URL must differ; neither may be within the other.' })
}
