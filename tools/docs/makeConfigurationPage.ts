import type { z } from 'zod'
import { VARIABLE_GUIDE } from '../../src/config/guide.ts'
import { VARIABLE_GROUPS } from '../../src/config/variables.ts'

/** Returns the text of docs/operate/configuration.md, made from the environment's schema, so that it has the service's defaults and messages. */
export function makeConfigurationPage(): string {
  const sections = Object.entries(VARIABLE_GROUPS).map(([group, { shape }]) => {
    const rows = Object.entries<z.ZodType>(shape).map(([name, schema]) => row(name, schema))
    return `## ${group}\n\n${HEADER}\n${rows.join('\n')}\n`
  })
  return `${INTRODUCTION}\n${sections.join('\n')}\n${OTHERS}`
}

const INTRODUCTION = `# Configuration

Every setting is an environment variable. An empty variable counts as not set. This page is made from the code: \`npm run docs\` writes it.

A process reads the environment once, when it starts. A value in the wrong form stops it with one sentence on standard error and exit code 1,
whether or not that process uses the variable: \`${faultOf('PORT', VARIABLE_GROUPS['The service'].shape.PORT, 'http')}\`
The sentence never repeats a URL or a key. Two of \`PORT\`, \`SFTP_PORT\`, \`MAIL_INBOUND_PORT\`, \`METRICS_PORT\`, \`POSTGRES_PORT\`, \`TEMPORAL_PORT\` and \`TEMPORAL_UI_PORT\` with the same number are refused
in the same way.

"Read by" names the processes: **start** is \`npm start\` and \`npm run demo\`, which hand their whole environment to the API, the worker, the SFTP
server and the bounce server that they run; **API** is \`api/main.ts\`; **worker** is \`worker/main.ts\`; **SFTP** is \`sftp/main.ts\`;
**bounces** is \`bounces/main.ts\`; **commands** are the operator's commands, such as \`npx order-marketplace operator token\`.
`

const HEADER = '| Variable | Default | Meaning | When it is wrong | Read by |\n|---|---|---|---|---|'

const OTHERS = `## Outside of the schema

| Variable | Meaning | Read by |
|---|---|---|
| \`XDG_CACHE_HOME\` | The directory in which \`order-marketplace\` keeps the downloaded Temporal server; \`~/.cache\` when not set. | start |
| \`AWS_…\` | What the AWS SDK reads, where a file store is a bucket: the credential (\`AWS_ACCESS_KEY_ID\`, \`AWS_SECRET_ACCESS_KEY\`, \`AWS_SESSION_TOKEN\`, or \`AWS_PROFILE\`), and \`AWS_REGION\` when the URL names no region. | start, API, worker |
| \`NO_COLOR\` | Prints the demo without colors. | start |
| \`SECRET\` | The secret of \`npm run conform -- pull\` and \`-- webhook\` when \`--secret\` is not given. | commands |
`

function row(name: string, schema: z.ZodType): string {
  const guide = VARIABLE_GUIDE.get(schema)
  if (guide === undefined) throw new Error(`${name} has no entry in VARIABLE_GUIDE.`)
  const standard = standardOf(schema) ?? guide.unset
  if (standard === undefined) throw new Error(`${name} has neither a default nor a text for when it is not set.`)
  const wrong = [requirementOf(name, schema), guide.fault].filter((text) => text !== undefined).join(' ')
  return `| \`${name}\` | ${standard} | ${guide.about} | ${wrong} | ${guide.readBy.join(', ')} |`
}

/** Returns the default as one would set it. */
function standardOf(schema: z.ZodType): string | undefined {
  const value = schema.parse(undefined)
  if (value === undefined) return undefined
  return `\`${typeof value === 'object' && value !== null ? Object.values(value).join('/') : String(value)}\``
}

const NO_FORM = 'no form of it'

/** Returns the schema's message for a value that no variable accepts; undefined if the variable accepts any text. */
function requirementOf(name: string, schema: z.ZodType): string | undefined {
  const fault = faultOf(name, schema, NO_FORM)
  const form = fault?.replace(`${name} must be `, '').replace(`; it is "${NO_FORM}"`, '').replace(/\.$/, '')
  return form && `Must be ${form}; else startup fails.`
}

function faultOf(name: string, schema: z.ZodType, value: string): string | undefined {
  const message = schema.safeParse(value).error?.issues[0]?.message
  if (message !== undefined && !message.startsWith(`${name} must be `)) throw new Error(`${name} is refused in other words: ${message}`)
  return message
}
