import { describe, expect, it } from '@jest/globals'
import { readMail } from '../../support/edi/mailServer.ts'
import { TO } from '../../support/edi/orderMail.ts'
import { useAgreement, useOrderMail } from '../../support/edi/useOrderMail.ts'
import { FRIDAY, MONDAY, makegoodsOf } from '../../support/makegoods/makegoodsOf.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const mail = useOrderMail(market)
const { anOffer, answer, notice, offered, revise, unitOf } = makegoodsOf(market)

let agreement: string
useAgreement(mail, (id) => {
  agreement = id
})
const asked = () => mail.agree(agreement, { to: TO, makegoods: true })
const kinds = async () => (await mail.outcomes(agreement)).map(([document, status]) => `${document} ${status}`)

async function taken() {
  await mail.sender.send(agreement)
  return Promise.all(mail.server.taken.map(readMail))
}

describe('a makegood under an agreement with an address', () => {
  it('is mailed at every change if the agreement asks for it, as it then is, in the thread of its order', async () => {
    await asked()
    const order = await mail.placed(agreement)
    const id: string = (await notice(order, { actor: 'Ada' })).body.makegood_id
    await revise(order, id, { action: 'offer', offers: [anOffer()], note: 'Prime again' })
    await answer(order, id, 'accept', { version: 2 })
    const [first, ...mails] = await taken()
    expect(await kinds()).toEqual(['confirmed sent', 'makegood sent', 'makegood sent', 'makegood sent'])
    expect(mails.map(({ subject }) => subject?.split(' ').slice(0, 2))).toEqual([
      ['MAKEGOOD', 'NOTICED'],
      ['MAKEGOOD', 'OFFERED'],
      ['MAKEGOOD', 'ACCEPTED'],
    ])
    expect(mails.map(({ inReplyTo }) => inReplyTo)).toEqual([first, ...mails].slice(0, 3).map((each) => each?.messageId))
    expect(mails.map(({ header }) => [header('EDI-Makegood-Id'), header('EDI-Order-Id')])).toEqual(mails.map(() => [id, order]))
    expect(mails[0]?.text).toContain(`Does not air: 1 of ${await unitOf(order)} on ${MONDAY}, preempted`)
    expect(mails[1]?.text).toContain('offer by cable: Prime again')
    expect(mails[2]?.text).toContain('Agreed: offer 1, 1250.50 USD, billed in the month aired')
  })

  it('has a row of its csv for what does not air, each replacement, what was agreed and a credit', async () => {
    await asked()
    const order = await mail.placed(agreement)
    await answer(order, await offered(order), 'accept')
    await answer(order, (await notice(order)).body.makegood_id, 'credit')
    const mails = await taken()
    const rows = mails.slice(1).map(({ attachments: [file] }) => {
      const [head = [], ...lines] = Buffer.from(file?.content as ArrayBuffer)
        .toString()
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(','))
      return lines.map((line) => Object.fromEntries(line.map((cell, at) => [head[at], cell]).filter(([, cell]) => cell !== '')))
    })
    const unit_id = await unitOf(order)
    expect(rows[1]).toMatchObject([
      { record_type: 'missed', unit_id, date: MONDAY, units: '1', reason_code: 'preempted', status: 'accepted' },
      {
        record_type: 'offer',
        offer_id: '1',
        date: FRIDAY,
        units: '1',
        spot_length: '30',
        unit_id,
        replaces_date: MONDAY,
        replaces_units: '1',
      },
      { record_type: 'agreed', offer_id: '1', gross: '1250.50', currency: 'USD', billing: 'aired' },
    ])
    expect(rows[3]).toMatchObject([
      { record_type: 'missed' },
      { record_type: 'credit', date: MONDAY, gross: '1250.50', broadcast_month: '2030-06' },
    ])
  })

  it('is not mailed unless the agreement asks for it', async () => {
    const order = await mail.placed(agreement)
    await answer(order, await offered(order), 'accept')
    await taken()
    expect(await kinds()).toEqual(['confirmed sent'])
  })

  it('stands in the log of mails, has a csv and no scx, and may be sent again', async () => {
    await asked()
    const order = await mail.placed(agreement)
    await offered(order)
    await taken()
    const [{ message_id, document, seq, filename }] = (await market.acme.get(`/orders/${order}/edi`)).body.items
    expect([document, seq, filename]).toEqual([
      'makegood',
      (await market.events(order)).length,
      expect.stringMatching(/^MAKEGOOD_.*_offered\.csv$/),
    ])
    expect((await market.acme.get(`/orders/${order}/edi/${message_id}/document`)).status).toBe(200)
    expect((await market.acme.get(`/orders/${order}/edi/${message_id}/document?format=scx`)).status).toBe(404)
    expect((await market.acme.post(`/orders/${order}/edi`, { message_id })).status).toBe(202)
    const mails = await taken()
    const [again, before] = [mails.at(-1), mails.at(-2)]
    expect([again?.subject, again?.text, again?.header('EDI-SHA256')]).toEqual([
      before?.subject,
      before?.text,
      before?.header('EDI-SHA256'),
    ])
  })

  it('counts for no other document: what ends the order is sent by what was sent of the order', async () => {
    await asked()
    const order = await mail.placed(agreement)
    await offered(order)
    await mail.cancel(order)
    await taken()
    expect(await kinds()).toEqual(['confirmed sent', 'makegood sent', 'cancelled sent'])
  })
})
