import { codeChanges } from './codeChanges.ts'
import type { Change, Mutant } from './mutant.ts'
import { sqlChanges } from './sqlChanges.ts'
import { hidden, looksLikeSql } from './sqlText.ts'
import { type Found, isStatementCall, type Node, nodesOf, runsAtLoad, wrappable } from './syntax.ts'

/** Returns the mutants of a file in the order of their places; their ids begin with `firstId`. */
export function mutantsOf(file: string, source: string, firstId: number): Mutant[] {
  const isSql = file.startsWith('src/store/')
  const made = nodesOf(source).flatMap((found) => {
    const changes = [...codeChanges(found, source), ...(isSql ? changesOfSql(found, source) : [])]
    const around = changes.length === 0 ? undefined : switchAround(found)
    return around === undefined
      ? []
      : changes.map((change) => ({ ...change, around, atLoad: runsAtLoad(found) && !isLazy(found), isRemade: isLazy(found) }))
  })
  const sorted = made.filter(isFirstOfItsKind()).sort((one, other) => one.start - other.start || other.end - one.end)
  return sorted.map((change, at) => {
    const { start, end } = change
    return { ...change, id: firstId + at, file, line: source.slice(0, start).split('\n').length, original: source.slice(start, end) }
  })
}

/** Two operators may lead to one text. */
function isFirstOfItsKind(): (change: Change) => boolean {
  const seen = new Set<string>()
  return ({ start, end, text }) => {
    const key = `${start} ${end} ${text}`
    return !seen.has(key) && Boolean(seen.add(key))
  }
}

function switchAround(found: Found): Mutant['around'] | undefined {
  const { node, parents } = found
  if (/Statement$/.test(node.type) && !CONDITIONED.test(node.type) && node.type !== 'TryStatement')
    return { start: node.start, end: node.end, isStatement: true }
  if (node.type === 'TryStatement') return { start: node.start, end: node.end, isStatement: true }
  if (CONDITIONED.test(node.type)) {
    const test = node.test as Node
    return { start: test.start, end: test.end, isStatement: false }
  }
  const whole = wrappable({ node, parents })
  return whole && { start: whole.node.start, end: whole.node.end, isStatement: false }
}

const CONDITIONED = /^(If|While|DoWhile|For)Statement$/

/** Whether code is an argument of `statement(…)`, which the mutated build makes again for each fault. */
function isLazy({ node, parents }: Found): boolean {
  return [node, ...parents].some(isStatementCall)
}

function changesOfSql({ node, parents: [parent] }: Found, source: string): Change[] {
  const isText = node.type === 'TemplateLiteral' || (node.type === 'StringLiteral' && !/Import|Export|Directive/.test(parent?.type ?? ''))
  if (!isText || parent?.type === 'TSLiteralType') return []
  const from = node.start + 1
  const holes = ((node.expressions as Node[] | undefined) ?? []).map(({ start, end }) => ({ start: start - 2 - from, end: end + 1 - from }))
  const text = source.slice(from, node.end - 1)
  const sql = hidden(text, holes)
  if (!looksLikeSql(sql)) return []
  // The texts of changes are made of the true text, whose offsets are those of the hidden one.
  return sqlChanges(sql, text).map(({ start, end, ...change }) => ({ ...change, start: from + start, end: from + end }))
}
