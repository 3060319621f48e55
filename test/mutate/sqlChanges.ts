import type { Change } from './mutant.ts'
import { type Token, tokensOf } from './sqlText.ts'

/**
 * Returns the changes of SQL: each condition taken out, comparisons that lose or gain their bound, and orders, limits, locks and joins.
 * What is taken out stays as text, so that each parameter keeps its type.
 */
export function sqlChanges(hiddenSql: string, sql = hiddenSql): Change[] {
  const tokens = tokensOf(hiddenSql)
  return [
    ...conditions(sql, tokens),
    ...comparisons(tokens),
    ...orders(sql, tokens),
    ...locks(hiddenSql),
    ...bounds(sql, tokens),
    ...words(tokens),
  ]
}

/** Words that begin a part of a statement, and so end the condition before them. */
const PARTS = new Set(
  (
    'select from where group order limit offset returning for union except intersect join left right full inner cross lateral ' +
    'on having when then else set values with do window using as , ;'
  ).split(' '),
)
const CONDITIONED = new Set(['where', 'on', 'having', 'when'])

/** The tokens of one depth and below between two words of `PARTS`, after the first of them. */
interface Part {
  readonly word: string
  readonly depth: number
  readonly tokens: Token[]
}

function conditions(sql: string, tokens: readonly Token[]): Change[] {
  return partsOf(tokens).flatMap(({ word, depth, tokens: [first, ...others] }) => {
    if (first === undefined) return []
    const isContinued = first.text === 'and'
    const part = isContinued ? others : [first, ...others]
    const alternatives = split(part, 'or', depth)
    const conjuncts = alternatives.flatMap((alternative) => split(alternative, 'and', depth))
    if (!isContinued && !CONDITIONED.has(word) && conjuncts.length < 2) return []
    if (alternatives.length === 1) return conjuncts.flatMap((list) => without(sql, 'condition', 'or true', list))
    return [
      ...(CONDITIONED.has(word) ? without(sql, 'condition', 'or true', part) : []),
      ...alternatives.flatMap((list) => without(sql, 'alternative', 'and false', list)),
      ...conjuncts
        .filter((list) => !alternatives.some(([token]) => token === list[0]))
        .flatMap((list) => without(sql, 'condition', 'or true', list)),
    ]
  })
}

function without(sql: string, kind: string, by: string, list: readonly Token[]): Change[] {
  const [first, last] = [list[0], list.at(-1)]
  if (first === undefined || last === undefined) return []
  return [{ kind, start: first.start, end: last.end, text: `((${sql.slice(first.start, last.end)}) ${by})` }]
}

function partsOf(tokens: readonly Token[]): Part[] {
  const parts: Part[] = []
  const open: Part[] = []
  const begin = (depth: number, word: string) => {
    const part = { word, depth, tokens: [] }
    open[depth] = part
    parts.push(part)
    return part
  }
  for (const [at, token] of tokens.entries()) {
    open.length = Math.min(open.length, token.depth + 1)
    const isWord = PARTS.has(token.text)
    for (let depth = 0; depth < token.depth; depth += 1) (open[depth] ?? begin(depth, '')).tokens.push(token)
    if (isWord) begin(token.depth, isOther(tokens, at) ? 'other' : token.text)
    else (open[token.depth] ?? begin(token.depth, '')).tokens.push(token)
  }
  return parts
}

/** Whether a word introduces no condition here: of `distinct on`, `on conflict`, and values of a `case` that compares one thing. */
function isOther(tokens: readonly Token[], at: number): boolean {
  const { text, depth } = tokens[at] as Token
  if (text === 'on') return tokens[at - 1]?.text === 'distinct' || tokens[at + 1]?.text === 'conflict'
  if (text !== 'when') return false
  const begun = tokens.slice(0, at).findLastIndex((token) => token.text === 'case' && token.depth === depth - 1)
  return tokens[begun + 1]?.text !== 'when'
}

/** Splits at a word; the `and` of a `between` is none. */
function split(tokens: readonly Token[], word: string, depth: number): (readonly Token[])[] {
  const lists: Token[][] = [[]]
  let isBetween = false
  for (const token of tokens) {
    const isOwn = token.depth === depth
    if (isOwn && token.text === word && !(isBetween && word === 'and')) lists.push([])
    else lists.at(-1)?.push(token)
    if (isOwn && (token.text === 'between' || token.text === 'and')) isBetween = token.text === 'between'
  }
  return lists
}

const COMPARED: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }

function comparisons(tokens: readonly Token[]): Change[] {
  return tokens.flatMap(({ text, start, end }, at) => {
    const other = COMPARED[text]
    // No test can meet the very instant of the database.
    const isNow = [tokens[at - 3], tokens[at + 1]].some((token) => token?.text === 'now')
    return other === undefined || isNow ? [] : [{ kind: 'comparison', start, end, text: other }]
  })
}

function orders(sql: string, tokens: readonly Token[]): Change[] {
  return tokens.flatMap((token, at) => {
    if (token.text !== 'by' || tokens[at - 1]?.text !== 'order') return []
    const rest = tokens.slice(at + 1)
    const end = rest.findIndex(({ text, depth }) => depth < token.depth || (depth === token.depth && text !== ',' && PARTS.has(text)))
    const keys = split(end === -1 ? rest : rest.slice(0, end), ',', token.depth)
    const texts = keys.map((key) => (key.length === 0 ? '' : sql.slice((key[0] as Token).start, (key.at(-1) as Token).end)))
    const [from, to] = [keys[0]?.[0]?.start ?? 0, keys.at(-1)?.at(-1)?.end ?? 0]
    const [first = '', ...others] = texts
    const turned = / desc$/.test(first) ? first.replace(/ desc$/, '') : `${first.replace(/ asc$/, '')} desc`
    const changed = (kind: string, list: readonly string[]): Change => ({ kind, start: from, end: to, text: list.join(', ') })
    const shorter =
      texts.length < 2
        ? []
        : texts.map((_, index) =>
            changed(
              'tie-breaker',
              texts.filter((__, other) => other !== index),
            ),
          )
    return [changed('direction', [turned, ...others]), ...shorter]
  })
}

const LOCK =
  /\bfor (?:no key )?(?:update|share|key share)(?: of \w+)?(?: skip locked| nowait)?|\bskip locked|\bpg_(?:try_)?advisory_xact_lock(?:_shared)?\b/g

function locks(sql: string): Change[] {
  return [...sql.matchAll(LOCK)].flatMap(({ 0: text, index }) => {
    const place = { kind: 'lock', start: index, end: index + text.length }
    if (text.startsWith('pg_')) return text.includes('try') ? [] : [{ ...place, text: 'coalesce' }]
    return [{ ...place, text: '' }]
  })
}

function bounds(sql: string, tokens: readonly Token[]): Change[] {
  return tokens.flatMap((token, at) => {
    const next = tokens[at + 1]
    if (next === undefined) return []
    if (token.text === 'limit' && /^[:\w¤]/.test(next.text)) {
      const end = tokens[at + 2]?.text === '.' ? (tokens[at + 3]?.end ?? next.end) : next.end
      return [{ kind: 'limit', start: next.start, end, text: `((${sql.slice(next.start, end)})::bigint + 1000000)` }]
    }
    if (token.text === 'interval' && next.text.startsWith(`'`))
      return [{ kind: 'interval', start: next.start, end: next.end, text: `'0 s'` }]
    return []
  })
}

const WORDS: Readonly<Record<string, string>> = { greatest: 'least', least: 'greatest', max: 'min', min: 'max', coalesce: 'nullif' }

function words(tokens: readonly Token[]): Change[] {
  return tokens.flatMap(({ text, start, end }, at) => {
    const [before, next] = [tokens[at - 1]?.text ?? '', tokens[at + 1]?.text]
    const change = (kind: string, other: string, from = start): Change => ({ kind, start: from, end, text: other })
    if (Object.hasOwn(WORDS, text) && next === '(') return [change(text, WORDS[text] as string)]
    if (text === 'distinct' && next !== 'on' && next !== 'from') return [change('distinct', '')]
    if (text !== 'join' || /cross|full|right|outer/.test(before)) return []
    return before === 'left'
      ? [change('join', 'join', (tokens[at - 1] as Token).start)]
      : [change('join', 'left join', before === 'inner' ? (tokens[at - 1] as Token).start : start)]
  })
}
