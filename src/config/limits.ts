import { z } from 'zod'
import { count, mustBe, rate, shared } from './forms.ts'
import { VARIABLE_GUIDE } from './guide.ts'

/** How much one tenant, and all of them together, may request and store. */
export const LIMITS = z.object({
  RATE_LIMITS: z
    .enum(['on', 'off'], { error: mustBe('RATE_LIMITS', 'on or off') })
    .default('on')
    .register(VARIABLE_GUIDE, {
      about: '`off` switches the five rate limits below off.',
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
  RATE_LIMIT_PREVIEWS: rate('RATE_LIMIT_PREVIEWS', '20/40').register(VARIABLE_GUIDE, {
    about: 'Previews and dry runs of one credential: per second, and the most at once. Beyond it 429.',
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
  CONNECTIONS: shared('CONNECTIONS', '1000/5000').register(VARIABLE_GUIDE, {
    about:
      'Connections from one address, of IPv6 from one `/64` (beyond it 429), and of all (503). Those of `TRUSTED_PROXIES` count among all only.',
    readBy: ['API'],
  }),
  UPLOAD_MAX_BYTES: count('UPLOAD_MAX_BYTES', 25 * 1024 * 1024).register(VARIABLE_GUIDE, {
    about: 'Bytes of the largest upload.',
    readBy: ['API'],
  }),
  UPLOAD_TTL_HOURS: count('UPLOAD_TTL_HOURS', 72, { max: 87_600 }).register(VARIABLE_GUIDE, {
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
  DROP_BYTES_PER_SELLER: count('DROP_BYTES_PER_SELLER', 64 * 1024 ** 3, { least: 0, max: 10 ** 15 }).register(VARIABLE_GUIDE, {
    about: 'Bytes of all files that a seller may have in its drops at a time; 0 is no limit. Beyond it 413, and over SFTP a failure.',
    readBy: ['API', 'SFTP'],
  }),
  PRODUCTS_PER_SELLER: count('PRODUCTS_PER_SELLER', 100_000, { max: 10_000_000 }).register(VARIABLE_GUIDE, {
    about: 'Products of a seller, withdrawn ones not counted. Beyond it a new product is INVALID_ENTRY.',
    readBy: ['API', 'worker'],
  }),
  HOLDS_PER_BUYER: count('HOLDS_PER_BUYER', 200).register(VARIABLE_GUIDE, {
    about: 'Open holds of a buyer with all sellers. Beyond it 422.',
    readBy: ['API'],
  }),
})

/** Bytes of replies that clients have not read yet: of one tenant, beyond which it is 429, and of all, beyond which it is 503. */
export const REPLY_BYTES = { perTenant: 64 * 1024 ** 2, total: 256 * 1024 ** 2 }
/** Bytes of large replies kept on disk for clients that read slowly: of one tenant, and of all, beyond which a slow client is disconnected. */
export const SPOOL_BYTES = { perTenant: 256 * 1024 ** 2, total: 2 * 1024 ** 3 }
/** Bytes of files while they are sent over SFTP: of one seller, and of all. Half of all are divided among 64 sellers. */
export const SFTP_SPOOL_BYTES = { perTenant: 2 * 1024 ** 3, total: 8 * 1024 ** 3 }
/** Open holds of a buyer with one seller, beyond which it is 422. */
export const HOLDS_PER_SELLER = 50
/** Traces that an API process records of the requests to one endpoint. */
export const TRACES_PER_ENDPOINT = { perSecond: 5, burst: 20 }
