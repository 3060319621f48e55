import type { DocumentParse, DocumentQuestion } from '../../contract/documentParse.ts'
import type { ResolvedLine } from './checkLines.ts'
import { BONUS_SOLD, NET_UNKNOWN } from './citePrices.ts'
import { questionId } from './questions.ts'
import type { ReadLine, ReadQuestion } from './reading.ts'
import { wordOf } from './readValue.ts'

/** An answer that was given to a document of the same layout, by the kind and the words of its question. */
export interface RememberedAnswer {
  readonly kind: DocumentQuestion['kind']
  readonly label: string
  readonly choice: string
}

/**
 * Returns the questions of a document: those of its reading, then those of its lines against what is published, each with the choice that was
 * remembered for its words.
 */
export function askedQuestions(
  read: readonly ReadQuestion[],
  lines: readonly ResolvedLine[],
  remembered: readonly RememberedAnswer[] = [],
): DocumentQuestion[] {
  const numberOf = (place: number) => lines[place]?.line ?? place + 1
  const ofReading = read.map(({ lines: places, choices, ...question }) => ({
    ...question,
    lines: places.map(numberOf),
    choices: choices.map(({ choice, text, orders, read: stated }) => ({
      choice,
      text,
      ...(orders === undefined ? {} : { orders: orders.map(numberOf) }),
      ...(stated === undefined ? {} : { read: stated.map(({ place, ...member }) => ({ line: numberOf(place), ...member })) }),
    })),
  }))
  const questions = [...ofReading, ...ofProducts(lines), ...ofBasis(lines), ...ofBonus(lines)]
  return questions.map((question, position) => ({ ...withProposal(question, remembered), question_id: questionId(position) }))
}

type Unnumbered = Omit<DocumentQuestion, 'question_id'>

/** What was remembered is proposed where it is a choice; a product is one though no word of the line resembles it. */
function withProposal(question: Unnumbered, remembered: readonly RememberedAnswer[]): Unnumbered {
  const before = remembered.find(({ kind, label }) => kind === question.kind && label === question.label)
  if (before === undefined || question.label === undefined) return question
  const { choice } = before
  const isKnown = question.choices.some((each) => each.choice === choice)
  if (isKnown) return { ...question, proposed: choice }
  if (question.kind !== 'product') return question
  return { ...question, choices: [{ choice, text: choice, product_id: choice }, ...question.choices], proposed: choice }
}

/** Returns the words of a line that name what airs, by which a product is remembered. */
export function wordsOfLine({ product, program, network, days, start, end }: ReadLine): string {
  const words = [network, product ?? program, days, start, end].map((value) => wordOf(value?.read ?? ''))
  return words.join(' | ').slice(0, LABEL_CHARACTERS)
}

const LABEL_CHARACTERS = 400

/** One question for all lines that name the same, of which no product is known. */
function ofProducts(lines: readonly ResolvedLine[]): Unnumbered[] {
  const groups = new Map<string, Unnumbered>()
  for (const { line, read, unresolved, doubts } of lines) {
    const open = unresolved.find(({ field }) => field === 'product_id')
    if (open === undefined || doubts.some(({ field }) => field === 'product_id')) continue
    const label = wordsOfLine(read)
    const before = groups.get(label)
    if (before !== undefined) before.lines.push(line)
    else
      groups.set(label, {
        kind: 'product',
        message:
          `${open.message} ${[read.network, read.product ?? read.program, read.days, read.start, read.end].flatMap((value) => value?.read ?? []).join(' ')}`.trim(),
        at: open.at ?? '',
        lines: [line],
        choices: open.published.flatMap(({ product_id, title, network }) =>
          typeof product_id === 'string' ? [{ choice: product_id, text: `${title} (${network})`, product_id }] : [],
        ),
        label,
      })
  }
  return [...groups.values()]
}

/** Net prices of an order whose agreement states no commission. */
function ofBasis(lines: readonly ResolvedLine[]): Unnumbered[] {
  const net = lines.filter(({ unresolved }) => unresolved.some(({ message }) => message === NET_UNKNOWN))
  if (net.length === 0) return []
  const read = net.map(({ line, read: { basis } }) => ({ line, basis: { read: 'gross', at: basis?.at ?? '' } }))
  const choices = [{ choice: 'gross', text: 'The prices are gross.', read }]
  return [{ kind: 'basis', message: NET_UNKNOWN, at: '', lines: net.map(({ line }) => line), choices, label: 'basis' }]
}

/** Bonus lines that no published price of 0.00 sells. */
function ofBonus(lines: readonly ResolvedLine[]): Unnumbered[] {
  const bonus = lines.filter(({ unresolved }) => unresolved.some(({ message }) => message === BONUS_SOLD))
  if (bonus.length === 0) return []
  const choices = [{ choice: 'leave_out', text: 'They are left out.', orders: [] }]
  return [{ kind: 'bonus', message: BONUS_SOLD, at: '', lines: bonus.map(({ line }) => line), choices, label: 'bonus' }]
}

/** Returns what a confirm's answers and products say of documents with the same headings, for the next one. */
export function rememberedOf(
  parse: Pick<DocumentParse, 'lines' | 'questions'>,
  answers: readonly { question_id: string; choice: string }[],
  products: readonly { line: number; product_id?: string | undefined }[],
): RememberedAnswer[] {
  const ofAnswers = answers.flatMap(({ question_id, choice }): RememberedAnswer[] => {
    const question = parse.questions?.find((each) => each.question_id === question_id)
    return question?.label === undefined ? [] : [{ kind: question.kind, label: question.label, choice }]
  })
  const ofLines = products.flatMap(({ line, product_id }): RememberedAnswer[] => {
    const read = parse.lines.find((each) => each.line === line)?.read
    return read === undefined || product_id === undefined ? [] : [{ kind: 'product', label: wordsOfLine(read), choice: product_id }]
  })
  const all = [...ofLines, ...ofAnswers]
  return all.filter(({ kind, label }, at) => all.findIndex((each) => each.kind === kind && each.label === label) === at)
}
