import type { LineResolution, Resolution } from '../../contract/confirmOrder.ts'
import type { DocumentLine, DocumentParse, DocumentQuestion } from '../../contract/documentParse.ts'
import type { Fault } from '../../contract/errorEnvelope.ts'

/** An answer to a question of a document. */
export interface Answer {
  readonly question_id: string
  readonly choice: string
}

/** A document as a buyer's answers make it, and the resolutions of its lines: those of answers, and those of lines, which outrank them. */
export interface Answered {
  readonly lines: readonly DocumentLine[]
  readonly resolutions: readonly LineResolution[]
  readonly answers: readonly Answer[]
}

type Asked = Pick<DocumentParse, 'lines' | 'questions'>

/** Applies resolutions to a document. Answers that name no question or choice of it are left out (`faultsOfAnswers`). */
export function answered({ lines, questions = [] }: Asked, resolutions: readonly Resolution[] = []): Answered {
  const given = resolutions.flatMap(({ question_id, choice: name }) => {
    const question = questions.find((each) => each.question_id === question_id)
    const choice = question?.choices.find((each) => each.choice === name)
    return question === undefined || choice === undefined ? [] : [{ question, choice }]
  })
  const byLine = new Map<number, LineResolution>()
  for (const { question, choice } of given)
    for (const line of question.lines) {
      const isLeftOut = choice.orders !== undefined && !choice.orders.includes(line)
      const own = isLeftOut ? { omit: true as const, note: noteOf(question, choice) } : productOf(choice)
      if (own !== undefined) byLine.set(line, { ...byLine.get(line), ...own, line })
    }
  for (const resolution of resolutions) {
    const { line } = resolution
    if (line === undefined) continue
    const { omit: _, note: __, ...earlier } = byLine.get(line) ?? {}
    byLine.set(line, { ...(resolution.omit === true ? {} : earlier), ...resolution, line })
  }
  const settled = new Set(given.map(({ question }) => question.question_id))
  const stated = new Map(given.flatMap(({ choice }) => (choice.read ?? []).map(({ line, ...read }) => [line, read] as const)))
  return {
    lines: lines.map((line) => {
      const read = stated.get(line.line)
      const doubts = line.doubts?.filter(({ question_id }) => question_id === undefined || !settled.has(question_id))
      return {
        ...line,
        ...(doubts === undefined ? {} : { doubts }),
        ...(read === undefined ? {} : { read: { ...line.read, ...read }, line_item: null }),
      }
    }),
    resolutions: [...byLine.values()],
    answers: given.map(({ question: { question_id }, choice: { choice } }) => ({ question_id, choice })),
  }
}

type Choice = DocumentQuestion['choices'][number]

function productOf({ product_id }: Choice): { product_id: string } | undefined {
  return product_id === undefined ? undefined : { product_id }
}

/** Why a line is left out, for the seller. */
function noteOf({ message }: DocumentQuestion, { text }: Choice): string {
  return `${message} ${text}`.slice(0, NOTE_CHARACTERS)
}

const NOTE_CHARACTERS = 500

/** Checks that each resolution is of a line or an answer, and that each answer is a choice of a question of the document, once. */
export function faultsOfAnswers({ questions = [] }: Asked, resolutions: readonly Resolution[] = []): Fault[] {
  const seen = new Set<string>()
  return resolutions.flatMap(({ line, question_id, choice, ...others }, index): Fault[] => {
    const fault = (member: string, message: string): Fault[] => [
      { error_code: 'INVALID_INPUT', field: `resolutions.${index}.${member}`, message },
    ]
    if (question_id === undefined) {
      if (choice !== undefined) return fault('choice', 'A choice answers a question; send its question_id beside it.')
      return line === undefined ? fault('line', 'A resolution names a line or a question_id.') : []
    }
    if (line !== undefined || Object.values(others).some((value) => value !== undefined))
      return fault('question_id', 'An answer serves all lines of its question; resolve a line in an entry of its own.')
    const question = questions.find((each) => each.question_id === question_id)
    if (question === undefined) return fault('question_id', `${question_id} is not a question of a document of this order.`)
    if (seen.has(question_id)) return fault('question_id', `${question_id} is answered twice.`)
    seen.add(question_id)
    if (question.choices.some((each) => each.choice === choice)) return []
    const known = question.choices.map((each) => each.choice).slice(0, SHOWN)
    return fault(
      'choice',
      `${choice ?? 'Nothing'} is not a choice of ${question_id}; its choices are ${known.join(', ') || 'none: resolve its lines'}.`,
    )
  })
}

const SHOWN = 10
