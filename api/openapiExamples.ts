import { readFileSync } from 'node:fs'

/** Bodies of docs/examples by the operation that takes them: the file, and what it shows. */
const EXAMPLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  placeOrder: {
    order: 'Five lines by day, week and month, one of them audience guaranteed',
    'negotiated-order': 'Two lines that the seller counters',
    'document-order': 'An order by a buysheet that was uploaded before',
  },
  confirmOrder: { confirm: 'Confirms a document order and resolves a line of it' },
  cancelOrder: { cancel: 'Cancels with a reason' },
  respondToCounters: { respond: 'Accepts every open counter' },
  decideOrder: {
    decide: 'Approves the whole order',
    counter: 'Counters one line at another week and price',
    'decide-document': 'Approves a document order',
  },
  publishCatalog: { 'summit-catalog': 'A cable network', 'ktvl-10-catalog': 'A broadcast station' },
  publishRateCard: { 'summit-rate-card': 'A quarter of a cable network', 'ktvl-10-rate-card': 'A quarter of a broadcast station' },
  publishAvails: { 'summit-avails': 'Avails of a cable network', 'ktvl-10-avails': 'Avails of a broadcast station' },
  putCapabilities: { 'summit-capabilities': 'Takes document orders too' },
}

/** Entries shown of a list: the files are whole. */
const SHOWN = 3

/** The example bodies of an operation in the form of OpenAPI; undefined when docs/examples has none. */
export function requestExamples(operationId: string): Record<string, { summary: string; value: unknown }> | undefined {
  const files = EXAMPLES[operationId]
  if (files === undefined) return undefined
  return Object.fromEntries(Object.entries(files).map(([name, summary]) => [name, { summary, value: shortened(read(name)) }]))
}

function read(name: string): object {
  return JSON.parse(readFileSync(new URL(`../docs/examples/${name}.json`, import.meta.url), 'utf8'))
}

function shortened(body: object): object {
  const members = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) && name !== 'line_items' ? value.slice(0, SHOWN) : value,
  ])
  return Object.fromEntries(members)
}
