import { describe, expect, it } from '@jest/globals'
import { gridTable } from '../../../src/adapters/tables/tableReader/grid.ts'
import { gridSheet } from '../../../src/adapters/tables/tableReader/sheets.ts'
import { orderDocument } from '../../../src/domain/document/orderDocument.ts'
import { readOrder } from '../../../src/domain/document/readOrder.ts'

const orderOf = (rows: string[][]) => readOrder([gridSheet(gridTable(rows, '', []), undefined)], () => '2030-05-01')
const HEAD = ['Days', 'Time', 'Program', 'Length', 'Rate', '6/3', '6/10', 'Spots', 'Cost']
const NEWS = ['M-F', '6a-7a', 'News', '30', '$10.00', '2', '1', '3', '$30.00']

describe('a row of an order for airtime', () => {
  it('whose units cannot be read is a line in doubt, and no fee', () => {
    const order = orderOf([
      ['Days', 'Time', 'Program', 'Length', 'Week of', 'Units', 'Rate'],
      ['M-F', '6a-7a', 'News', '30', '6/3/2030', '2', '$10.00'],
      ['M-F', '7a-8a', 'Talk', '30', '6/3/2030', 'many', '$10.00'],
    ])
    expect(order.lines.map(({ program }) => program)).toEqual(['News', 'Talk'])
    expect(order.stops.map((stops) => stops.length > 0)).toEqual([false, true])
    expect(order.fees).toEqual([])
  })

  it('that states two windows has none of them', () => {
    const { lines } = orderOf([HEAD, ['', 'M-F 6a-7a and Sat-Sun 8p-9p', 'Rotation', '30', '$10.00', '2', '1', '3', '$30.00'], NEWS])
    expect(lines.map(({ start, end }) => [start, end])).toEqual([
      [undefined, undefined],
      ['06:00', '07:00'],
    ])
  })
})

describe('a total that includes a fee', () => {
  const rows = [HEAD, NEWS, ['', '', 'Production fee', '', '', '', '', '', '$500.00'], ['', '', 'Total', '', '', '', '', '3', '$530.00']]

  it('states the share of the fee beside what the lines come to', () => {
    const document = orderDocument(orderOf(rows))
    if ('unreadable' in document) throw new Error(document.unreadable)
    expect(document.totals.find(({ value }) => value === '530')).toMatchObject({ of: 'gross', fees: '500' })
  })
})

it('a label that stands by chance in the row of a total says nothing of its numbers', () => {
  const order = orderOf([HEAD, NEWS, ['', '', 'Total Cost:', '', '', 'Signature:', '', '3', '$30.00']])
  expect(order.equations.filter(({ scope, ties }) => scope === 'total' && !ties)).toEqual([])
  expect(order.stops).toEqual([[]])
})

it('a row without a price that nothing calls a bonus is paid, so that its price can be chosen', () => {
  const document = orderDocument(orderOf([HEAD, ['M-F', '6a-7a', 'News', '30', '', '2', '1', '3', '']]))
  if ('unreadable' in document) throw new Error(document.unreadable)
  expect(document.lines[0]).toMatchObject({ kind: { read: 'paid' } })
  expect(document.lines[0]?.unit_cost).toBeUndefined()
})

it('a total of a week in a list, though it names the week, is no line', () => {
  const head = ['Program', 'Week', 'Length', 'Spots', 'Rate', 'Amount']
  const order = orderOf([
    head,
    ['News', '2030-W23', ':30', '2', '$10.00', '$20.00'],
    ['Talk', '2030-W23', ':30', '3', '$10.00', '$30.00'],
    ['Total', '2030-W23', '', '5', '', '$50.00'],
    ['Late', '2030-W24', ':17', '1', '$10.00', '$10.00'],
  ])
  expect(order.lines.map(({ program }) => program)).toEqual(['News', 'Talk', 'Late'])
  expect(order.stops.map((stops) => stops.length > 0)).toEqual([false, false, false])
})

describe('weeks of a flight that begins in mid-week', () => {
  const rows = (second: string) => [
    ['Flight 6/5/2030 - 6/23/2030', '', '', '', '', '', '', '', ''],
    ['Days', 'Time', 'Program', 'Length', 'Rate', '6/5', second, 'Spots', 'Cost'],
    NEWS,
  ]

  it('are weeks, not two days', () => {
    expect(orderOf(rows('6/10')).lines[0]?.periods.map(({ grain, start }) => [grain, start])).toEqual([
      ['week', '2030-06-03'],
      ['week', '2030-06-10'],
    ])
  })

  it('are asked where a later one is no Monday', () => {
    const { lines, questions } = orderOf(rows('6/12'))
    expect([lines[0]?.periods, questions[0]?.kind]).toEqual([[], 'weeks'])
    const periods = questions[0]?.choices.map((choice) => [choice.choice, [...(choice.periods?.values() ?? [])].map(({ start }) => start)])
    expect(periods).toEqual([
      ['weeks', ['2030-W23', '2030-W24']],
      ['days', ['2030-06-05', '2030-06-12']],
      ['weeks_day_first', ['2030-W19', '2030-W49']],
      ['days_day_first', ['2030-05-06', '2030-12-06']],
    ])
  })
})
