import type { Change } from './mutant.ts'
import { type Found, isNode, isStatementCall, type Node } from './syntax.ts'

/** Returns the changes of one node, by the operators that are standard for mutants. */
export function codeChanges(found: Found, source: string): Change[] {
  const { node } = found
  const change = (kind: string, text: string, at: Node = node): Change => ({ kind, start: at.start, end: at.end, text })
  const textOf = (value: unknown) => (isNode(value) ? source.slice(value.start, value.end) : '')
  const made = OPERATORS[node.type]?.({ ...found, change, textOf }) ?? []
  return [...made, ...conditionChanges(node, change)]
}

interface Place extends Found {
  change(kind: string, text: string, at?: Node): Change
  textOf(value: unknown): string
}

const OPERATORS: Readonly<Record<string, (place: Place) => Change[]>> = {
  LogicalExpression: ({ node, change, textOf }) => [change('left alone', textOf(node.left)), change('right alone', textOf(node.right))],
  BinaryExpression: ({ node, parents, change, textOf }) => {
    const [operator, left, right] = [String(node.operator), textOf(node.left), textOf(node.right)]
    if (operator === '+' && /^['"`]|['"`]$/.test(`${left}${right}`)) return []
    // A condition is also tried as always and as never, so what is left of a comparison is its bound, which no test meets in an instant.
    const [bound, ...others] = SWAPPED[operator] ?? []
    if (bound === undefined) return []
    const isBound = /^[<>]/.test(operator)
    const bounds = isBound && /Date\.now\(\)/.test(`${left}${right}`) ? [] : [bound]
    const isTest = parents[0]?.test === node
    const tried = isTest ? (isBound ? bounds : []) : [...bounds, ...others]
    return tried.map((other) => change('operator', `${left} ${other} ${right}`))
  },
  UnaryExpression: ({ node, change, textOf }) => (/^[!-]$/.test(String(node.operator)) ? [change('unary', textOf(node.argument))] : []),
  BooleanLiteral: ({ node, change }) => [change('boolean', String(node.value !== true))],
  NumericLiteral: (place) => numberChanges(place),
  StringLiteral: ({ node, parents: [parent], change }) => {
    const [, count, unit] = (parent?.type !== 'TSLiteralType' && DURATION.exec(String(node.value))) || []
    return count === undefined ? [] : [10, 0.1].map((factor) => change('duration', `'${Number(count) * factor} ${unit}'`))
  },
  ConditionalExpression: ({ node, change, textOf }) => [
    change('always', `(${textOf(node.consequent)})`),
    change('never', `(${textOf(node.alternate)})`),
  ],
  ArrayExpression: ({ node, parents: [parent], change }) =>
    (node.elements as unknown[]).length > 0 && !(parent !== undefined && isStatementCall(parent)) ? [change('empty list', '[]')] : [],
  ObjectExpression: (place) => [...withoutSpreads(place), ...withoutOptions(place)],
  ExpressionStatement: ({ change }) => [change('no statement', ';')],
  ThrowStatement: ({ change }) => [change('no throw', ';')],
  ContinueStatement: ({ change }) => [change('no continue', ';')],
  ReturnStatement: ({ node, change }) => (isNode(node.argument) ? [] : [change('no return', ';')]),
  CallExpression: (place) => callChanges(place),
  OptionalCallExpression: (place) => callChanges(place),
  TryStatement: ({ node, change }) => (isNode(node.finalizer) ? [change('no finally', '{}', node.finalizer)] : []),
}

/** A duration as Temporal and Postgres read it, whole. */
const DURATION = /^(\d+) (ms|s|seconds?|minutes?|hours?|days?)$/

/** The names of what holds milliseconds or seconds: one more is no fault that anybody could see. */
const IS_TIME = /(_MS|Ms|_S|_SECONDS|_MINUTES|_HOURS|_DAYS)$/

function numberChanges({ node, parents, change }: Place): Change[] {
  const [parent] = parents
  if (parent?.type === 'UnaryExpression') return []
  const holder = parents.find(({ type }) => /^(VariableDeclarator|ObjectProperty)$/.test(type))
  const name = String(((holder?.id ?? holder?.key) as Node | undefined)?.name)
  if (!IS_TIME.test(name)) return [change('number', String(Number(node.value) + 1))]
  return [10, 0.1].map((factor) => change('duration', String(Number(node.value) * factor)))
}

const SWAPPED: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
}

function conditionChanges(node: Node, change: Place['change']): Change[] {
  if (!/^(If|While|DoWhile|For)Statement$/.test(node.type) || !isNode(node.test)) return []
  const never = change('never', 'false', node.test)
  return node.type === 'IfStatement' ? [change('always', 'true', node.test), never] : [never]
}

function withoutSpreads({ node, change, textOf }: Place): Change[] {
  const members = node.properties as Node[]
  return members.flatMap((member, at) => {
    if (member.type !== 'SpreadElement') return []
    const others = members.filter((_, index) => index !== at).map(textOf)
    return [change('no spread', `{ ${others.join(', ')} }`)]
  })
}

/** Members whose default is another behavior: without them code compiles, and waits, repeats or ends otherwise. */
const OPTIONS = new Set(
  [
    'heartbeatTimeout,scheduleToCloseTimeout,retry,maximumInterval,maximumAttempts,nonRetryable,nextRetryDelay,details,taskQueue',
    'signal,once,requestEagerStart,workflowIdConflictPolicy,policies,overlap,catchupWindow,shutdownGraceTime,readOnly,timeout',
  ].flatMap((names) => names.split(',')),
)

function withoutOptions({ node, change, textOf }: Place): Change[] {
  const members = node.properties as Node[]
  return members.flatMap((member) => {
    if (!OPTIONS.has(textOf(member.key))) return []
    return [
      change(
        'no option',
        `{ ${members
          .filter((other) => other !== member)
          .map(textOf)
          .join(', ')} }`,
      ),
    ]
  })
}

/** Links of a chain that can be taken out, since what they return is what they were given; those of kysely narrow a statement. */
const LINKS = new Set(
  [
    'filter,sort,toSorted,reverse,toReversed,slice,trim,trimEnd,trimStart,toLowerCase,toUpperCase,normalize,flat',
    'abs,unref,finally,catch',
    'where,whereRef,orderBy,limit,offset,forUpdate,forShare,forNoKeyUpdate,skipLocked,noWait,having,distinct,on,onRef,$if,clearOrderBy',
  ].flatMap((names) => names.split(',')),
)
const SWAPPED_CALLS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  round: 'floor',
  innerJoin: 'leftJoin',
  leftJoin: 'innerJoin',
}
const KYSELY_COMPARED = new Set(['where', 'whereRef', 'having', 'on', 'onRef', 'eb'])

function callChanges(place: Place): Change[] {
  const { node, change, textOf } = place
  const callee = node.callee as Node
  if (!isNode(callee.property)) return comparedChanges(place, textOf(callee))
  const name = textOf(callee.property)
  const changes = comparedChanges(place, name)
  const [object, args] = [textOf(callee.object), (node.arguments as Node[]).map(textOf)]
  if (LINKS.has(name) && !(name === 'slice' && args.length === 0)) changes.push(change(`no ${name}`, object))
  const other = Object.hasOwn(SWAPPED_CALLS, name) ? SWAPPED_CALLS[name] : undefined
  if (other !== undefined) changes.push(change(name, `${object}${callee.optional === true ? '?.' : '.'}${other}(${args.join(', ')})`))
  return changes
}

const SQL_SWAPPED: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '=': '!=', '!=': '=', '<>': '=' }

/** The changes of a comparison, an order or a list of conditions that is given to kysely. */
function comparedChanges({ node, change, textOf }: Place, name: string): Change[] {
  const args = node.arguments as Node[]
  const [first, second] = args
  const value = String(second?.value)
  if (KYSELY_COMPARED.has(name) && second?.type === 'StringLiteral' && Object.hasOwn(SQL_SWAPPED, value))
    return [change('comparison', `'${SQL_SWAPPED[value]}'`, second)]
  if (name === 'orderBy' && second?.type === 'StringLiteral') return [change('direction', value === 'desc' ? `'asc'` : `'desc'`, second)]
  if (!/^(and|or)$/.test(name) || first?.type !== 'ArrayExpression') return []
  const elements = (first.elements as (Node | null)[]).filter(isNode)
  return elements.map((_, at) => change('condition', `[${elements.filter((__, index) => index !== at).map(textOf)}]`, first))
}
