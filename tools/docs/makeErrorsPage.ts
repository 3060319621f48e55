import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'
import { ERROR_GUIDE } from '../../src/contract/errorGuide.ts'
import { ERRORS, type ErrorCode } from '../../src/contract/vocabulary/codes.ts'
import { ENTRY_ERROR_GUIDE, WARNING_GUIDE } from '../../src/contract/warningGuide.ts'
import { ERROR_CLASSES, errorExample, operationErrors } from './operationErrors.ts'

/** Returns the text of docs/contract/error-codes.md, made from the vocabulary, the guides, the endpoint table and the envelope of replies. */
export function makeErrorsPage(): string {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  return `${INTRODUCTION}
${OVERVIEW_HEADER}
${codes.map(overviewRow).join('\n')}

${codes.map(section).join('\n')}
${ENTRIES}
${tableOf(Object.entries(ENTRY_ERROR_GUIDE))}

${WARNINGS}
${tableOf(Object.entries(WARNING_GUIDE).map(([code, { where, ...guide }]) => [code, { ...guide, when: `${where}: ${guide.when}` }]))}
`
}

const INTRODUCTION = `# Errors

Every error of the API, every fault of an entry that is published, and every warning. This page is made from the code: \`npm run docs\` writes it.

A reply with a status of 400 or more has this body, whatever the operation:

| Member | Meaning |
|---|---|
| \`error_code\` | One of the codes below. Programs decide by it. |
| \`error_message\` | One sentence for people. Its wording may change. |
| \`stage\` | Where the request failed. |
| \`recoverable\` | \`true\`: the same caller can succeed by changing the request or sending it again. |
| \`details\` | What the code is about. \`details.errors[]\` of a 400 or 422 lists every fault, each with a JSON pointer; \`details.field\` is the first of them; \`details.missing[]\` lists required members that are absent. |

The reply carries \`X-Request-Id\`, which the logs of the service repeat. 429 and 503 carry \`Retry-After\` in seconds.
A \`failed\` order carries the same envelope on its event.

## Codes
`

const OVERVIEW_HEADER = '| Code | Status | Stage | Recoverable |\n|---|---|---|---|'

function overviewRow(code: ErrorCode): string {
  const { status, stage, recoverable } = ERRORS[code]
  return `| [\`${code}\`](#${code.toLowerCase()}) | ${status} | ${stage} | ${recoverable ? 'yes' : 'no'} |`
}

function section(code: ErrorCode): string {
  const { when, remedy } = ERROR_GUIDE[code]
  return `### ${code}

Status ${ERRORS[code].status}. ${when}

**What to do:** ${remedy}

**Answered by:** ${answeredBy(code)}.

\`\`\`json
${JSON.stringify(errorExample(code), null, 2)}
\`\`\`
`
}

/** Lists the classes of operations that answer a code, and the names of other operations that answer it. */
function answeredBy(code: ErrorCode): string {
  const classes = ERROR_CLASSES.filter(({ codes }) => codes.includes(code))
  const others = ENDPOINTS.filter((row) => operationErrors(row).includes(code) && !classes.some(({ holds }) => holds(row)))
  const named = others.map(({ method, path }) => `\`${method.toUpperCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}\``)
  const all = [...classes.map(({ about }) => about), ...named]
  return all.length > 0 ? all.join(', ') : (OUTSIDE[code] ?? fail(code))
}

/** Codes that no operation answers, since the request reached none. */
const OUTSIDE: Partial<Record<ErrorCode, string>> = { METHOD_NOT_ALLOWED: 'every path of the API' }

function fail(code: ErrorCode): never {
  throw new Error(`No operation answers ${code}: add it to the errors of those that do, or take it out of the vocabulary.`)
}

const ENTRIES = `## Entries of a publish

\`PUT /me/catalog\`, \`PUT /me/rate-cards\` and \`PUT /me/avails\` check each entry on its own. A reply with status 200 lists the refused entries in
\`errors[]\`, each as \`{index, error_code, field?, value?, message}\`; \`index\` is the place in the list that was sent, from 0 on.
`

const WARNINGS = `## Warnings

Warnings refuse nothing. They are in the \`warnings[]\` of a reply, each with a \`code\`.
`

function tableOf(rows: readonly (readonly [string, { when: string; remedy: string }])[]): string {
  return [
    '| Code | When | What to do |',
    '|---|---|---|',
    ...rows.map(([code, { when, remedy }]) => `| \`${code}\` | ${when} | ${remedy} |`),
  ].join('\n')
}
