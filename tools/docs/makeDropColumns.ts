import type { Column } from '../../src/contract/dropColumns/columnsOf.ts'
import { DROP_FILE_SHAPES, POST_COLUMNS } from '../../src/contract/dropColumns.ts'
import { AS_RUN_BEGINNINGS, AS_RUN_DOUBTS, AS_RUN_OUTCOMES, AS_RUN_WORDS, type AsRunOutcome } from '../../src/contract/vocabulary/asRun.ts'
import { DROP_FILE_TYPES, type DropFileType, RECORD_TYPES } from '../../src/contract/vocabulary/drops.ts'

/** Returns the text of docs/sell/drop-columns.md, made from the schemas that check the rows. */
export function makeDropColumns(): string {
  return `${INTRODUCTION}
${DROP_FILE_TYPES.map(section).join('\n')}`
}

const INTRODUCTION = `# Columns of file drops

What may be in the header of a file of each type. This page is made from the code: \`npm run docs\` writes it. [file-drops.md](file-drops.md) tells how to send files.

- A header is one of these names, in any case; the order of columns does not matter. A column that is not known is left out, with a warning.
- **Required** means that every row has a value. An empty cell is an absent value.
- A **list** is written with bars: \`Mon|Tue|Wed\`.
- **One a row**: the members of one element of a list; a further row for the same product adds another.
- \`{code}\` is a placeholder for an audience code, such as \`impressions.A25-54.per_spot\`.
`

const WHAT: Readonly<Record<DropFileType, string>> = {
  catalog: 'One row is one product. Further rows of a product add a window or an occurrence.',
  rate_cards: 'One row is one price. Rows with the same `commit` are published together.',
  avails: 'One row is what is left of a product in one period.',
  delivery_posts:
    'One row is a spot of a log (`as_run`), a spot of an invoice (`invoice`), or the audience that was delivered (`post`). A station invoice file ' +
    'with records 21 or 22 may be sent as it is.',
}

function section(type: DropFileType): string {
  const { entry, head } = DROP_FILE_SHAPES[type]
  if (type === 'delivery_posts') return postsSection(entry)
  return `## ${type}

${WHAT[type]}

| Column | Value | Example | Required | Meaning |
|---|---|---|---|---|
${[...entry, ...head].map((column) => row(column, column.required ? 'yes' : '')).join('\n')}
`
}

/** Describes the columns of posts: each belongs to some kinds of rows, and some of those require it. */
function postsSection(entry: readonly Column[]): string {
  const kindsOf = (name: string, of: (column: Column) => boolean) => {
    const kinds = RECORD_TYPES.filter((kind) => POST_COLUMNS[kind].some((column) => column.name === name && of(column)))
    return kinds.length === RECORD_TYPES.length ? 'all' : kinds.map((kind) => `\`${kind}\``).join(', ')
  }
  const rows = entry.map((column) =>
    row(
      column,
      kindsOf(column.name, () => true),
      kindsOf(column.name, ({ required }) => required),
    ),
  )
  return `## delivery_posts

${WHAT.delivery_posts}

| Column | Value | Example | Rows | Required of | Meaning |
|---|---|---|---|---|---|
${rows.join('\n')}

${POST_RULES}`
}

const SAYS: Readonly<Record<AsRunOutcome, string>> = { aired: 'aired', not_aired: 'not aired', undecided: 'says nothing yet' }

const POST_RULES = `- **Order.** A row has at least one of \`order_id\`, \`seller_order_id\` and \`external_order_id\`; several must be of one order. An \`as_run\` row may have none: it goes to the one order that is booked with its
  \`isci\` on its \`network\` within a day, else it is counted in \`rows_unattached\` and not kept.
- **Time.** \`air_date\` and \`air_time\` are local to the product. \`air_time\` is \`HH:MM\` or \`HH:MM:SS\`, and required of a spot that aired. On the \`calendar\` clock it ends at 23:59:59; on the
  \`broadcast\` clock a day lasts from 06:00 to 29:59, and \`air_date\` is the broadcast date: \`2030-06-03\` at \`25:10\` is calendar \`2030-06-04\` at \`01:10\`.
- **Aired.** The \`status\` of an \`as_run\` row says whether its spot aired, in one of the words below. An \`invoice\` row aired and is billed with \`run_code\` \`Y\`.
- **Says nothing yet.** A row of a log that was sent before its day changes nothing, and neither does one with a word that is not known. They are counted in \`rows_undecided\`, and each word is a
  warning with its count, \`UNDECIDED_STATUS\` or \`UNKNOWN_STATUS\`. While a log has such rows of an order, no spot of the order is missed for its absence from the log of that day.
- **Totals.** \`invoice_gross\`, \`invoice_commission\`, \`invoice_net\` and \`invoice_spot_count\` may be on any row of the invoice. Where they differ from its rows, the reconciliation shows both.
- **Sent again.** What is sent again replaces what was sent before, whole:

| Rows | Replaced is | By |
|---|---|---|
| \`as_run\` | the log of a day | \`network\`, broadcast date, \`log_id\` (none is a log too) |
| \`invoice\` | the invoice | \`invoice_number\` |
| \`post\` | one figure | \`unit_id\`, \`air_date\`, \`audience_code\`, \`stream\` |

  The higher \`revision\` wins, 0 if there is none; of two with the same one, that of the later manifest. This is decided for each log, invoice and figure, never for a file: of
  a file with two days of a log, one may be replaced and the other one stay. All rows of a log or an invoice have the same \`revision\`. The bytes of an earlier file change nothing.

| \`status\` of a log | Words |
|---|---|
${AS_RUN_OUTCOMES.map((outcome) => `| ${SAYS[outcome]} | ${AS_RUN_WORDS[outcome].join(', ')} |`).join('\n')}

Case and marks do not matter: \`Pre-Empted\` is \`pre empted\`. Other words may follow these: ${AS_RUN_BEGINNINGS.join(', ')}; but ${AS_RUN_DOUBTS.aired.join(', ')} after a word that it aired, and ${AS_RUN_DOUBTS.not_aired.join(', ')} after one that it did not, make it unknown.

Examples of each: [as-run.csv](../examples/delivery-posts/as-run.csv), [invoice.csv](../examples/delivery-posts/invoice.csv),
[audience-posts.csv](../examples/delivery-posts/audience-posts.csv). [reconciliation.md](reconciliation.md) says how the rows are matched with what was ordered.
`

function row({ name, kind, isList, within, example, description }: Column, ...needed: readonly string[]): string {
  const value = `${KINDS[kind]}${isList ? ', list' : ''}${within === undefined ? '' : ', one a row'}`
  return `| \`${name}\` | ${value} | \`${escaped(example)}\` | ${needed.join(' | ')} | ${escaped(description)} |`
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

const KINDS: Readonly<Record<Column['kind'], string>> = {
  text: 'text',
  number: 'number',
  boolean: '`true` or `false`',
  date: 'date',
  month: 'month',
  period: 'date, week or month',
  time: 'time of day',
  clock: 'time of day',
  instant: 'time in UTC',
  json: 'JSON',
}
