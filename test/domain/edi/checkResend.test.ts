import { describe, expect, it } from '@jest/globals'
import { demosOf } from '../../../src/domain/edi/audiences.ts'
import { addressAbsence, checkResend, lacksCancel, type MailedOrder } from '../../../src/domain/edi/checkResend.ts'
import { codePoints, cutText, isXmlText, xmlText } from '../../../src/domain/edi/xmlText.ts'

const order = (more: Partial<MailedOrder> = {}): MailedOrder => ({
  ...{ status: 'placed', last_seq: 4, placed_at: '2026-12-07T00:00:00.000Z', agreement_id: 'agr', to_address: 'a@b.example' },
  ...more,
})
const mail = (status: string) => ({ message_id: 'edi_1', status, status_reason: 'nothing_sent' }) as never
const refused = (...args: Parameters<typeof checkResend>) => {
  try {
    checkResend(...args)
    return undefined
  } catch (error) {
    const { code, message, details } = error as { code: string; message: string; details: object }
    expect(code).toBe('INVALID_STATE')
    return { message, ...details }
  }
}

describe('a document of an order', () => {
  it('can be sent again once it was sent or has failed, and for the first time while the order is placed', () => {
    for (const again of [undefined, mail('sent'), mail('failed'), mail('bounced')]) expect(refused(order(), again)).toBeUndefined()
    expect(refused(order({ status: 'canceled' }), mail('sent'))).toBeUndefined()
  })

  it.each([
    [
      'was never placed',
      order({ placed_at: null, status: 'rejected' }),
      mail('sent'),
      { message: 'The order is rejected and was never placed: it has no document.' },
    ],
    [
      'is under no agreement',
      order({ agreement_id: null }),
      undefined,
      { reason: 'no_agreement', message: 'The order is under no agreement.' },
    ],
    ['has no address', order({ to_address: null }), undefined, { reason: 'no_address', message: 'The agreement agr has no edi address.' }],
    [
      'was canceled before anything was sent',
      order({ status: 'canceled' }),
      undefined,
      { message: expect.stringMatching(/nothing of it was sent/) },
    ],
    ['still has it queued', order(), mail('queued'), { message_id: 'edi_1', status: 'queued' }],
    ['has it skipped', order(), mail('skipped'), { status: 'skipped', status_reason: 'nothing_sent' }],
  ])('cannot be sent where the order %s', (_, of, earlier, found) => expect(refused(of, earlier)).toMatchObject(found))

  it('may lack: a cancel after a mail of another document', () => {
    expect(lacksCancel({ status: 'canceled' }, { document: 'confirmed' as never })).toBe(true)
    expect(lacksCancel({ status: 'canceled' }, { document: 'cancelled' as never })).toBe(false)
    expect(lacksCancel({ status: 'placed' }, { document: 'confirmed' as never })).toBe(false)
    expect([addressAbsence(order()), addressAbsence(order({ agreement_id: null, to_address: null }))]).toEqual([null, 'no_agreement'])
  })
})

describe('a text in XML', () => {
  it('has no character that XML cannot represent', () => {
    const wrong = 'a\u0000b\ud800c\ufffed\u001f'
    expect([xmlText(wrong), isXmlText(wrong)]).toEqual(['a\ufffdb\ufffdc\ufffdd\ufffd', false])
    const right = 'a\t\n\r \u{1f600}\ue000\ufffd'
    expect([xmlText(right), isXmlText(right)]).toEqual([right, true])
  })

  it('is cut by code points', () => {
    expect([cutText('abcd', 4), cutText('abcde', 4)]).toEqual(['abcd', 'abc…'])
    const smiles = '\u{1f600}'.repeat(4)
    expect([cutText(smiles, 4), cutText(`${smiles}x`, 4), codePoints(smiles)]).toEqual([smiles, `${'\u{1f600}'.repeat(3)}…`, 4])
    expect([cutText('x'.repeat(255)).length, codePoints(cutText('x'.repeat(256)))]).toEqual([255, 255])
    expect(cutText('a\u0000', 4)).toBe('a\ufffd')
  })
})

it('the demos of a document are those that its lines name, once, by rank', () => {
  const lines = ['A25-54', undefined, 'W18+', 'A25-54', 'X1-2', 'A54-25', 'HH', 'C2-11', 'A25-54x'].map((audience_code) => ({
    rate: { audience_code },
  }))
  expect([...demosOf(lines as never)]).toEqual([
    ['A25-54', { '@demoRank': 1, group: 'Adults', ageFrom: 25, ageTo: 54 }],
    ['W18+', { '@demoRank': 2, group: 'Women', ageFrom: 18, ageTo: 99 }],
    ['HH', { '@demoRank': 3, group: 'Households', ageFrom: 0, ageTo: 99 }],
    ['C2-11', { '@demoRank': 4, group: 'Children', ageFrom: 2, ageTo: 11 }],
  ])
})
