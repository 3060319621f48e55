import type { Resolution } from '../../order/buyerActs.ts'
import { mondayOf } from '../../ui/Period.tsx'
import { type Equation, memberOf, optionsOf, type Parse, type Question, type Unresolved } from './parse.ts'

/** What the marketplace refuses of what is said: values of lines and totals; `isCurrent` unless something has been said since. */
export interface Found {
  readonly unresolved: readonly Unresolved[]
  readonly equations: readonly string[]
  readonly isCurrent: boolean
}

export const NOTHING_FOUND: Found = { unresolved: [], equations: [], isCurrent: false }

/** What the buyer has said of a document: values of lines, answers, lines left out with their notes, acknowledged totals. */
export type Said = Readonly<Record<string, string>>

const YES = 'yes'

export const keyOf = {
  value: ({ line, field }: Pick<Unresolved, 'line' | 'field'>) => `${line} ${field}`,
  answer: ({ question_id }: Pick<Question, 'question_id'>) => question_id,
  omit: (line: number) => `omit ${line}`,
  note: (line: number) => `note ${line}`,
  total: ({ equation_id }: Pick<Equation, 'equation_id'>) => equation_id,
  remember: 'remember',
} as const

export function isOn(said: Said, key: string): boolean {
  return said[key] === YES
}

export function withOn(said: Said, key: string, on: boolean): Said {
  return { ...said, [key]: on ? YES : '' }
}

/** Returns the answers that are choices of their questions. */
export function answersOf({ questions = [] }: Parse, said: Said): { question: Question; choice: Question['choices'][number] }[] {
  return questions.flatMap((question) => {
    const choice = question.choices.find((each) => each.choice === said[keyOf.answer(question)])
    return choice === undefined ? [] : [{ question, choice }]
  })
}

/** Returns the lines that are left out: one by one, or by an answer that orders others. What is said of a line alone outranks answers. */
export function leftOut(parse: Parse, said: Said): ReadonlySet<number> {
  const byAnswers = answersOf(parse, said).flatMap(({ question, choice }) =>
    choice.orders === undefined ? [] : question.lines.filter((line) => !choice.orders?.includes(line)),
  )
  const stated = new Set(valuesOf(said).map(({ line }) => line))
  const alone = parse.lines.flatMap(({ line }) => (isOn(said, keyOf.omit(line)) ? [line] : []))
  return new Set([...byAnswers.filter((line) => !stated.has(line)), ...alone])
}

/** Returns true if an answered question gives a value of one of its lines, as far as the console can tell before it asks the marketplace. */
function isAnswered({ line, field, message }: Unresolved, parse: Parse, said: Said): boolean {
  return answersOf(parse, said).some(({ question }) => {
    if (!question.lines.includes(line)) return false
    if (question.message === message || (question.kind === 'product' && memberOf({ field }) === 'product_id')) return true
    const doubts = parse.lines.find((each) => each.line === line)?.doubts ?? []
    return doubts.some((doubt) => doubt.question_id === question.question_id && doubt.field === field && doubt.message === message)
  })
}

/** What has to be settled before the document can be confirmed. */
export interface Point {
  readonly text: string
  /** The id of the element where it is settled. */
  readonly at: string
}

/** Returns the questions that lines wait for and that nothing settles yet; those without a choice are settled line by line, unless a product is asked, which may be any. */
export function openQuestions(parse: Parse, said: Said): Question[] {
  const left = leftOut(parse, said)
  const open = parse.unresolved.filter((value) => !left.has(value.line) && !isResolved(value, said) && !isAnswered(value, parse, said))
  const lines = new Set(open.map(({ line }) => line))
  return (parse.questions ?? []).filter(
    (question) =>
      (question.choices.length > 0 || question.kind === 'product') &&
      (said[keyOf.answer(question)] ?? '') === '' &&
      question.lines.some((line) => lines.has(line)),
  )
}

/**
 * Returns what keeps the document from being confirmed: questions, then values of lines that no question settles, then totals. What the
 * marketplace refuses of what is said now is open, whatever is chosen for it.
 */
export function pointsOf(parse: Parse, said: Said, found: Found = NOTHING_FOUND): Point[] {
  const left = leftOut(parse, said)
  const questions = openQuestions(parse, said)
  const asked = new Set(questions.flatMap(({ lines }) => lines))
  const open = [
    ...parse.unresolved.filter((value) => !asked.has(value.line) && !isAnswered(value, parse, said) && !isResolved(value, said)),
    ...found.unresolved.filter((value) => found.isCurrent || !isResolved(value, said)),
  ].filter((value) => !left.has(value.line))
  return [
    ...questions.map(({ question_id, message }) => ({ text: message, at: question_id })),
    ...[...new Map(open.map((value) => [keyOf.value(value), value])).values()].map((value) => ({
      text: `line ${value.line}, ${value.field.replaceAll('_', ' ')}`,
      at: idOf(keyOf.value(value)),
    })),
    ...(parse.proof?.equations ?? [])
      .filter((one) => needOf(one, { parse, said, found }) === 'required' && !isOn(said, keyOf.total(one)))
      .map((one) => ({ text: `the ${one.of} at ${one.cells[0]}, which does not tie`, at: one.equation_id })),
  ]
}

/** Returns an id for an element from a key of what is said. */
export function idOf(key: string): string {
  return `said-${key.replaceAll(/\W+/g, '-')}`
}

/**
 * Returns what a total needs: nothing if it ties, `required` to be acknowledged if not, or `possible` while what is said of its lines changes what
 * they come to.
 */
export function needOf(
  { equation_id, ties, lines }: Equation,
  { parse, said, found }: { parse: Parse; said: Said; found: Found },
): 'nothing' | 'possible' | 'required' {
  if (found.equations.includes(equation_id)) return 'required'
  const left = leftOut(parse, said)
  const isOf = (line: number) => lines === undefined || lines.includes(line)
  if (parse.unresolved.some(({ line }) => isOf(line)) || [...left].some(isOf)) return 'possible'
  return ties ? 'nothing' : 'required'
}

/** Whether something is chosen for a value that can be ordered. */
export function isResolved(value: Unresolved, said: Said): boolean {
  const chosen = said[keyOf.value(value)] ?? ''
  const member = memberOf(value)
  if (member === 'period') return periodOf(chosen) !== undefined
  if (member === 'units') return Number(chosen) >= 1 && Number.isInteger(Number(chosen))
  // A price that can be booked no more is among the candidates no more.
  const options = optionsOf(value)
  return chosen !== '' && (member !== 'locked_rate_id' || options.length === 0 || options.some(({ value: id }) => id === chosen))
}

/** Returns the lines that a confirm resolves one by one. */
function valuesOf(said: Said): (Resolution & { line: number })[] {
  const lines = new Map<number, Resolution & { line: number }>()
  for (const [key, chosen] of Object.entries(said)) {
    const [, number, field] = /^(\d+) (.+)$/.exec(key) ?? []
    const [line, member] = [Number(number), field === undefined ? undefined : memberOf({ field })]
    if (member === undefined || chosen === '' || isOn(said, keyOf.omit(line))) continue
    lines.set(line, { ...(lines.get(line) ?? { line }), ...chosenMember(member, chosen) })
  }
  return [...lines.values()]
}

/** Returns the resolutions that a confirm sends: answers, values of lines, and lines left out with their notes. */
export function resolutionsOf(parse: Parse, said: Said): Resolution[] {
  return [
    ...answersOf(parse, said).map(({ question: { question_id }, choice: { choice } }) => ({ question_id, choice })),
    ...valuesOf(said),
    ...parse.lines.flatMap(({ line }) => {
      const note = (said[keyOf.note(line)] ?? '').trim()
      return isOn(said, keyOf.omit(line)) ? [{ line, omit: true as const, ...(note !== '' && { note }) }] : []
    }),
  ]
}

/** Returns the ids of the totals that the buyer acknowledges, for a confirm. */
export function acknowledgeOf({ proof }: Parse, said: Said): string[] {
  return (proof?.equations ?? []).filter((one) => isOn(said, keyOf.total(one))).map(({ equation_id }) => equation_id)
}

function chosenMember(member: NonNullable<ReturnType<typeof memberOf>>, chosen: string): Partial<Resolution> {
  if (member === 'units') return { units: Number(chosen) }
  if (member !== 'period') return { [member]: chosen }
  const period = periodOf(chosen)
  return period === undefined ? {} : { period }
}

function periodOf(text: string): Resolution['period'] {
  if (mondayOf(text) !== undefined) return { grain: 'week', start: text }
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return { grain: 'day', start: text }
  return /^\d{4}-\d{2}$/.test(text) ? { grain: 'month', start: text } : undefined
}
