import { describe, expect, it } from '@jest/globals'
import { closeDocument, type EarlierMail } from '../../../src/domain/edi/closeDocument.ts'

const confirmed = (order_id: string): EarlierMail => ({ order_id, document: 'confirmed', supersedes: null })
const revised = (order_id: string, supersedes: string): EarlierMail => ({ order_id, document: 'revised', supersedes })
const cancelled = (order_id: string): EarlierMail => ({ order_id, document: 'cancelled', supersedes: null })
const placement = (order_id: string, ...gone: EarlierMail[]) => closeDocument({ order_id, document: 'confirmed' }, gone)
const cancel = (order_id: string, ...gone: EarlierMail[]) => closeDocument({ order_id, document: 'cancelled' }, gone)

describe('the document of a placement', () => {
  it('is confirmed when nothing went before it', () => expect(placement('b')).toEqual({ document: 'confirmed' }))

  it('is revised when the order that the agency has is another one, and names it', () => {
    expect(placement('b', confirmed('a'))).toEqual({ document: 'revised', supersedes: 'a' })
    expect(placement('c', confirmed('a'), revised('b', 'a'))).toEqual({ document: 'revised', supersedes: 'b' })
  })

  it('names the order that the agency has where a revision between the two never went', () => {
    expect(placement('c', confirmed('a'))).toEqual({ document: 'revised', supersedes: 'a' })
  })

  it('is confirmed when the agency has cancelled the earlier order', () => {
    expect(placement('b', confirmed('a'), cancelled('a'))).toEqual({ document: 'confirmed' })
  })
})

describe('the mail of a makegood', () => {
  const makegood = (order_id: string): EarlierMail => ({ order_id, document: 'makegood', supersedes: null })

  it('is always sent, and counts for no document of an order', () => {
    expect(closeDocument({ order_id: 'a', document: 'makegood' }, [])).toEqual({ document: 'makegood' })
    expect(placement('b', makegood('a'))).toEqual({ document: 'confirmed' })
    expect(cancel('a', makegood('a'))).toEqual({ skipped: 'nothing_sent' })
  })
})

describe('the document of a cancel', () => {
  it('is cancelled when the placement went', () => expect(cancel('a', confirmed('a'))).toEqual({ document: 'cancelled' }))

  it('is skipped when nothing of the order went', () => {
    expect(cancel('a')).toEqual({ skipped: 'nothing_sent' })
    expect(cancel('b', confirmed('a'))).toEqual({ skipped: 'nothing_sent' })
  })

  it('is skipped when a revised document that names the order went', () => {
    expect(cancel('a', confirmed('a'), revised('b', 'a'))).toEqual({ skipped: 'replaced' })
    expect(cancel('b', confirmed('a'), revised('b', 'a'))).toEqual({ document: 'cancelled' })
  })
})
