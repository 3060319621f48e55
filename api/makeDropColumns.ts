import type { Column } from '../src/contract/dropColumns/columnsOf.ts'
import { DROP_FILE_SHAPES } from '../src/contract/dropColumns.ts'
import { DROP_FILE_TYPES, type DropFileType } from '../src/contract/vocabulary/drops.ts'

/** docs/drop-columns.md as text, made from the schemas that the rows are checked by. */
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
- \`{code}\` stands for an audience code, such as \`impressions.A25-54.per_spot\`.
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
  return `## ${type}

${WHAT[type]}

| Column | Value | Example | Required | Meaning |
|---|---|---|---|---|
${[...entry, ...head].map(row).join('\n')}
`
}

function row({ name, kind, isList, within, example, required, description }: Column): string {
  const value = `${KINDS[kind]}${isList ? ', list' : ''}${within === undefined ? '' : ', one a row'}`
  return `| \`${name}\` | ${value} | \`${escaped(example)}\` | ${required ? 'yes' : ''} | ${escaped(description)} |`
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

const KINDS: Readonly<Record<Column['kind'], string>> = {
  text: 'text',
  number: 'number',
  boolean: '`true` or `false`',
  date: 'date',
  time: 'time of day',
  instant: 'time in UTC',
  json: 'JSON',
}
