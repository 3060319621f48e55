import { z } from 'zod'
import { withoutTrailingSlashes } from '../domain/targets/withoutTrailingSlashes.ts'
import { isHostAndPort, mustBe, port, url } from './forms.ts'
import { IS_TAKEN, VARIABLE_GUIDE } from './guide.ts'

const DATABASE_FORM = 'a URL such as postgres://user:password@host:5432/database'
const DATABASE = ['postgres:', 'postgresql:']

/** The addresses of PostgreSQL, Temporal and the message broker. */
export const ENGINES = z.object({
  DATA_DIR: z
    .string()
    .default('.data')
    .register(VARIABLE_GUIDE, {
      about:
        'The directory of everything embedded, `credentials.json` included. With engines elsewhere it still holds the uploads (`objects`) and ' +
        'the file drops (`drops`), which API and workers share unless `OBJECTS_URL` and `DROPS_URL` say otherwise, and `secrets.key`. Deleting it is a fresh start.',
      readBy: ['start', 'API', 'worker', 'SFTP', 'bounces', 'commands'],
      fault: 'Startup fails if the directory cannot be written, its path contains `?`, `#` or `%`, or another `npm start` uses it.',
    }),
  DATABASE_URL: url('DATABASE_URL', DATABASE, DATABASE_FORM).register(VARIABLE_GUIDE, {
    about: 'Uses this PostgreSQL database, version 15 or newer, instead of the embedded one.',
    unset: 'embedded PostgreSQL; API and worker require it when they run alone',
    readBy: ['start', 'API', 'worker', 'SFTP', 'bounces', 'commands'],
    fault: '`npm start` also fails if the database does not answer or is too old.',
  }),
  API_DATABASE_URL: url('API_DATABASE_URL', DATABASE, DATABASE_FORM).register(VARIABLE_GUIDE, {
    about:
      'The same database as a user that serves the API alone, see [A user for the API](postgres.md#a-user-for-the-api). `npm start` hands it to the API.',
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
      about: 'The Temporal namespace. Each marketplace needs its own. The API puts it into links to the Temporal UI.',
      readBy: ['start', 'API', 'worker', 'commands'],
      fault: '`npm start` also fails if a Temporal service of yours does not have the namespace.',
    }),
  WORKER_BUILD_ID: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, {
      error: mustBe('WORKER_BUILD_ID', 'made of at most 100 letters, digits, dots, dashes and underscores'),
    })
    .optional()
    .register(VARIABLE_GUIDE, {
      about:
        'The release of this worker, for an [upgrade without a stop](upgrade.md#without-a-stop): runs stay with the current release until ' +
        '`npm run release` makes another the current one.',
      unset: 'workers have no release: each takes the tasks of all runs',
      readBy: ['worker', 'commands'],
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
  TEMPORAL_UI_URL: z
    .url({ protocol: /^https?$/, error: mustBe('TEMPORAL_UI_URL', 'an http or https URL, such as https://temporal.example.com') })
    .transform(withoutTrailingSlashes)
    .optional()
    .register(VARIABLE_GUIDE, {
      about: 'Where operators reach the Temporal UI: the console links runs to it.',
      unset: 'the embedded Temporal UI, if Temporal is embedded; else no links',
      readBy: ['start', 'API'],
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
