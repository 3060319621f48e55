import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Period } from '../../../src/contract/scalars.ts'
import { addDays, datesOfPeriod, datesOfWeek, weekOf } from '../../../src/domain/calendar.ts'
import { answerRequests, type OpenRequest } from '../../../src/domain/discovery/answerRequests.ts'
import type { Readers } from '../../../src/domain/discovery/audience.ts'

const product = (more: object = {}) => ({
  product_id: 'prime',
  visibility: 'open' as const,
  disclosure: { pricing_policy: 'published' as const, avails_policy: 'on_request' as const },
  ...more,
})
const request = (period: Period, more: Partial<OpenRequest> = {}): OpenRequest => ({
  request_id: 'req_1',
  buyer_entity: 'acme',
  product_id: 'prime',
  period,
  agreement_id: null,
  ...more,
})
const strangers: Readers = { buyers: ['zenith', 'acme'], agreements: [] }
const answers = (asked: OpenRequest, sent: Period[], sold = product(), readers: Readers = strangers) =>
  answerRequests(
    [asked],
    sent.map((period) => ({ product_id: 'prime', period })),
    new Map([['prime', sold]]),
    [readers],
  )
const week = (start: string): Period => ({ grain: 'week', start })
const month = (start: string): Period => ({ grain: 'month', start })
const day = (start: string): Period => ({ grain: 'day', start })

describe('answerRequests', () => {
  it('answers when the periods sent cover every date of the one asked for, and names them', () => {
    const anyDay = fc.integer({ min: 0, max: 70 }).map((days) => addDays('2030-05-20', days))
    const anyPeriod = fc
      .tuple(fc.constantFrom('day' as const, 'week' as const, 'month' as const), anyDay)
      .map(([grain, date]): Period => ({ grain, start: grain === 'day' ? date : grain === 'week' ? weekOf(date) : date.slice(0, 7) }))
    const datesOf = ({ grain, start }: Period) => {
      const { first, last } = datesOfPeriod(grain, start)
      const dates = []
      for (let date = first; date <= last; date = addDays(date, 1)) dates.push(date)
      return dates
    }
    fc.assert(
      fc.property(anyPeriod, fc.array(anyPeriod, { maxLength: 12 }), (asked, sent) => {
        const wanted = datesOf(asked)
        const covered = new Set(sent.flatMap(datesOf))
        const [answer] = answers(request(asked), sent)
        expect(answer !== undefined).toBe(wanted.every((date) => covered.has(date)))
        if (answer === undefined) return
        const speaking = sent.filter((period) => datesOf(period).some((date) => wanted.includes(date)))
        expect([...answer.periods].sort(byText)).toEqual(speaking.sort(byText))
      }),
    )
  })

  it('answers a month by all of its weeks and by nothing less', () => {
    const weeks = ['2030-W22', '2030-W23', '2030-W24', '2030-W25', '2030-W26'].map(week)
    expect(answers(request(month('2030-06')), weeks)).toHaveLength(1)
    for (const missing of weeks) {
      const others = weeks.filter((sent) => sent !== missing)
      expect(answers(request(month('2030-06')), others)).toEqual([])
    }
  })

  it('answers a day by its week, a week by its seven days', () => {
    expect(answers(request(day('2030-06-05')), [week('2030-W23')])).toHaveLength(1)
    const days = datesOfWeek('2030-W23').map(day)
    expect(answers(request(week('2030-W23')), days)[0]?.periods).toEqual(days)
  })

  it('answers no request for a product that is withheld from the asker or hidden from it', () => {
    const asked = request(week('2030-W23'))
    const withheld = { pricing_policy: 'published' as const, avails_policy: 'withheld' as const }
    expect(answers(asked, [week('2030-W23')], product({ disclosure: withheld }))).toEqual([])
    expect(answers(asked, [week('2030-W23')], product({ visibility: 'by_agreement' }))).toEqual([])
    const own: Readers = {
      buyers: ['acme'],
      agreements: [
        { agreement_id: 'agr', catalog_scope: ['prime'], disclosure_overrides: [{ product_id: '*', avails_policy: 'published' }] },
      ],
    }
    const hidden = product({ visibility: 'by_agreement', disclosure: withheld })
    expect(answers(asked, [week('2030-W23')], hidden, own)).toHaveLength(1)
  })
})

const byText = (a: Period, b: Period) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
