import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { orderDocument } from '../../../src/domain/document/orderDocument.ts'
import type { ReadDocument } from '../../../src/domain/document/reading.ts'
import { readOrder } from '../../../src/domain/document/readOrder.ts'
import { unitsOfWeek } from '../../../src/domain/document/spanWeeks.ts'
import { sheetsOf, UPLOADED } from '../../corpus/reading.ts'

const CORPUS = join(import.meta.dirname, '../../corpus/documents')

async function read(name: string): Promise<ReadDocument> {
  const document = orderDocument(readOrder(await sheetsOf(join(CORPUS, name)), () => UPLOADED))
  if ('unreadable' in document) throw new Error(document.unreadable)
  return document
}

describe('the units of a week of a span', () => {
  it.each([
    ['evenly', 9, 3, [3, 3, 3]],
    ['evenly', 8, 3, [3, 3, 2]],
    ['evenly', 2, 3, [1, 1, 0]],
    ['each_week', 9, 3, [9, 9, 9]],
  ] as const)('%s: %i in %i weeks', (spread, units, weeks, expected) => {
    expect([...Array(weeks).keys()].map((week) => unitsOfWeek(units, { week, weeks }, spread))).toEqual(expected)
  })
})

describe('a confirmation whose units are of its whole span', () => {
  it('is asked for its weeks once, with what each answer makes of every line', async () => {
    const { lines, doubts, questions = [] } = await read('f14a-confirmation-run-sheet.xlsx')
    expect(lines.map(({ period }) => period?.value?.start)).toEqual(Array(4).fill(['2030-W23', '2030-W24', '2030-W25']).flat())
    const [question] = questions.filter(({ kind }) => kind === 'weeks')
    expect(question?.lines).toEqual([...lines.keys()])
    const units = (choice: string) => question?.choices.find((each) => each.choice === choice)?.read?.map((line) => line.units?.read)
    expect(units('evenly')).toEqual([9, 12, 18, 12].flatMap((all) => Array(3).fill(String(all / 3))))
    expect(units('each_week')).toEqual([9, 12, 18, 12].flatMap((all) => Array(3).fill(String(all))))
    const id = `q_${questions.indexOf(question as (typeof questions)[number]) + 1}`
    expect(new Set(doubts.flat().map(({ question_id }) => question_id))).toEqual(new Set([id]))
  })
})
