import { describe, expect, it } from '@jest/globals'
import type { DocumentParse } from '../../../src/contract/documentParse.ts'
import { answered, faultsOfAnswers } from '../../../src/domain/document/answers.ts'

const value = (read: string) => ({ read, at: 'A1' })
const doubt = (field: string, question_id?: string) => ({ field, message: 'm', ...(question_id === undefined ? {} : { question_id }) })
const line = (number: number, doubts: ReturnType<typeof doubt>[] = []) => ({
  line: number,
  read: { unit_cost: value('1') },
  doubts,
  line_item: null,
})
const PARSE: Pick<DocumentParse, 'lines' | 'questions'> = {
  lines: [line(1, [doubt('rate', 'q_1'), doubt('rate', 'q_2')]), line(2, [doubt('rate', 'q_1')]), line(3)],
  questions: [
    {
      question_id: 'q_1',
      kind: 'role',
      message: 'Which?',
      at: '',
      lines: [1, 2],
      choices: [
        {
          choice: 'net',
          text: 'Net',
          read: [
            { line: 1, unit_cost: value('8') },
            { line: 2, unit_cost: value('9') },
          ],
        },
      ],
    },
    { question_id: 'q_2', kind: 'option', message: 'Which?', at: '', lines: [1, 2, 3], choices: [{ choice: 'b', text: 'B', orders: [3] }] },
    {
      question_id: 'q_3',
      kind: 'product',
      message: 'Which?',
      at: '',
      lines: [2, 3],
      choices: [{ choice: 'p', text: 'P', product_id: 'p' }],
    },
  ],
}
const of = (...resolutions: Parameters<typeof answered>[1] & object[]) => answered(PARSE, resolutions)

describe('an answer to a question about a document', () => {
  it('settles the doubts of its question alone, and states what its choice says', () => {
    const { lines, answers } = of({ question_id: 'q_1', choice: 'net' })
    expect(lines.map(({ read, doubts }) => [read.unit_cost?.read, doubts?.map(({ question_id }) => question_id)])).toEqual([
      ['8', ['q_2']],
      ['9', []],
      ['1', []],
    ])
    expect(answers).toEqual([{ question_id: 'q_1', choice: 'net' }])
  })

  it('leaves out the lines that its choice does not order, with a note, unless a line is resolved', () => {
    const left = (...more: object[]) => of({ question_id: 'q_2', choice: 'b' }, ...more).resolutions
    expect(left()).toEqual([
      { line: 1, omit: true, note: 'Which? B' },
      { line: 2, omit: true, note: 'Which? B' },
    ])
    expect(left({ line: 2, units: 4 })).toEqual([
      { line: 1, omit: true, note: 'Which? B' },
      { line: 2, units: 4 },
    ])
  })

  it('is the product of all its lines, beside what their own resolutions state, which outrank it', () => {
    const stated = (...more: object[]) => of({ question_id: 'q_3', choice: 'p' }, ...more).resolutions
    expect(stated({ line: 2, units: 4 })).toEqual([
      { line: 2, product_id: 'p', units: 4 },
      { line: 3, product_id: 'p' },
    ])
    expect(stated({ line: 3, product_id: 'other' }, { line: 2, omit: true })).toEqual([
      { line: 2, omit: true },
      { line: 3, product_id: 'other' },
    ])
  })

  it.each([
    [{ question_id: 'q_9', choice: 'b' }, 'question_id'],
    [{ question_id: 'q_2', choice: 'c' }, 'choice'],
    [{ question_id: 'q_2' }, 'choice'],
    [{ line: 1, question_id: 'q_2', choice: 'b' }, 'question_id'],
    [{ question_id: 'q_2', choice: 'b', units: 3 }, 'question_id'],
    [{ line: 1, choice: 'b' }, 'choice'],
    [{ units: 3 }, 'line'],
  ])('%j is refused for its %s', (resolution, member) => {
    expect(faultsOfAnswers(PARSE, [resolution]).map(({ field }) => field)).toEqual([`resolutions.0.${member}`])
  })

  it('is given once', () => {
    const answer = { question_id: 'q_2', choice: 'b' }
    expect(faultsOfAnswers(PARSE, [answer, answer]).map(({ field }) => field)).toEqual(['resolutions.1.question_id'])
  })
})
