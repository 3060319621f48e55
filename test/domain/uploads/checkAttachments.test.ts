import { describe, expect, it } from '@jest/globals'
import type { Attachment } from '../../../src/contract/createOrder.ts'
import { create } from '../../../src/domain/order/create.ts'
import { checkAttachments, checkInputUpload, uploadsOf } from '../../../src/domain/uploads/checkAttachments.ts'
import { aBirth, anIntake, aRequest } from '../../support/orders/anOrder.ts'
import { refusalOf } from '../../support/refusalOf.ts'

const SHA = 'a1'.repeat(32)
const upload = { upload_id: 'upl_1', format: 'pdf', sha256: SHA } as const
const anAttachment = (more: Partial<Attachment> = {}): Attachment => ({
  upload_id: 'upl_1',
  format: 'pdf',
  role: 'buysheet',
  filename: 'plan.pdf',
  sha256: SHA,
  ...more,
})
const fieldsOf = (...attachments: Attachment[]) => checkAttachments(attachments, [upload]).map(({ field }) => field)

describe('an attachment', () => {
  it('is accepted when its upload has this format and hash, in letters of either case', () => {
    expect(fieldsOf(anAttachment(), anAttachment({ sha256: SHA.toUpperCase(), role: 'other', filename: '../../etc' }))).toEqual([])
  })

  it('is refused at its id, without a reason, when the buyer has no such upload', () => {
    expect(checkAttachments([anAttachment(), anAttachment({ upload_id: 'upl_2', sha256: 'bad', format: 'csv' })], [upload])).toEqual([
      { error_code: 'INVALID_INPUT', field: 'attachments.1.upload_id', message: 'upl_2 is not an uploaded file of yours.' },
    ])
  })

  it('is refused at its hash and at its format separately', () => {
    expect(fieldsOf(anAttachment({ sha256: 'b2'.repeat(32) }))).toEqual(['attachments.0.sha256'])
    expect(fieldsOf(anAttachment({ format: 'csv' }))).toEqual(['attachments.0.format'])
    expect(fieldsOf(anAttachment({ format: 'csv', sha256: 'b2'.repeat(32) }))).toEqual(['attachments.0.format', 'attachments.0.sha256'])
  })

  it('of an order is named together with every other fault', () => {
    const ask = aRequest({ attachments: [anAttachment({ upload_id: 'upl_2' })], settlement_mode: 'cleared' })
    const { details, faults } = refusalOf(() => create(ask, anIntake(ask), aBirth(1)))
    expect(details.field).toBe('attachments.0.upload_id')
    expect(faults.map(({ field }) => field)).toEqual(['attachments.0.upload_id', 'settlement_mode'])
  })
})

describe('the document of a document order', () => {
  it('is an upload of that format', () => {
    const check = (upload_id: string, format: 'pdf' | 'csv') => checkInputUpload({ document: { upload_id, format } }, [upload])
    expect(check('upl_1', 'pdf')).toEqual([])
    expect(check('upl_1', 'csv')).toMatchObject([{ field: 'document.format' }])
    expect(check('upl_2', 'pdf')).toMatchObject([{ field: 'document.upload_id' }])
  })

  it('is not checked when the seller takes no documents: that is the only fault', () => {
    const { line_items: _, ...head } = aRequest()
    const ask = { ...head, document: { upload_id: 'upl_2', format: 'pdf' as const } }
    const { faults } = refusalOf(() => create(ask, anIntake(ask), aBirth(0)))
    expect(faults.map(({ field }) => field)).toEqual(['workflow'])
  })
})

describe('the audience plan of a proposal', () => {
  it('is an upload of any format', () => {
    const check = (upload_id: string) => checkInputUpload({ request: { request_type: 'audience_plan', audience: { upload_id } } }, [upload])
    expect(check('upl_1')).toEqual([])
    expect(check('upl_2')).toMatchObject([{ field: 'request.audience.upload_id' }])
    expect(checkInputUpload({ request: { request_type: 'open' } }, [])).toEqual([])
  })
})

describe('the uploads that an order pins', () => {
  it('are those that it names, once each', () => {
    expect(uploadsOf({})).toEqual([])
    expect(uploadsOf({ attachments: [anAttachment(), anAttachment({ upload_id: 'upl_2' }), anAttachment()] })).toEqual(['upl_1', 'upl_2'])
    expect(uploadsOf({ document: { upload_id: 'upl_3', format: 'pdf' } })).toEqual(['upl_3'])
    expect(uploadsOf({ request: { request_type: 'audience_plan', audience: { upload_id: 'upl_4' } } })).toEqual(['upl_4'])
  })
})
