import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { storeMail } from '../../support/edi/storedMails.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
/** Ids rise with the millisecond in which they are made, and a mail is stored in less. */
const stored = async (...mail: Parameters<typeof storeMail>) => {
  await sleep(2)
  return storeMail(...mail)
}
const list = async (query = '') => (await market.operations.get(`/ops/mails${query}`)).body

describe('GET /ops/mails: 200', () => {
  it('lists the mails of every tenant that wait, the oldest first, and those that did not arrive, with the reason and without the address', async () => {
    const orderId = await market.placed()
    await stored(market.deps, orderId, { seq: 4 })
    const first = await stored(market.deps, orderId, { seq: 5, status: 'queued', stuck: 'dns' })
    const second = await stored(market.deps, orderId, { seq: 6, status: 'queued', document: 'cancelled' })
    const refused = await stored(market.deps, orderId, { seq: 7, status: 'failed', status_reason: 'refused' })
    const bounced = await stored(market.deps, orderId, { seq: 8, status: 'bounced', status_reason: '5.1.1' })

    const { items } = await list()
    expect(items).toMatchObject([
      {
        message_id: first,
        order_id: orderId,
        seller: 'cable',
        buyer_entity: 'acme',
        document: 'confirmed',
        status: 'queued',
        reason: 'dns',
      },
      { message_id: second, document: 'cancelled', reason: null },
    ])
    expect(items[0].next_attempt_at).not.toBeNull()
    expect(items[0].run_id).toMatch(/^mail:/)
    const failed = await list('?state=failed')
    expect(failed.items).toMatchObject([
      { message_id: bounced, status: 'bounced', reason: '5.1.1', next_attempt_at: null },
      { message_id: refused, status: 'failed', reason: 'refused' },
    ])
    expect(JSON.stringify([items, failed])).not.toContain('@')
  })

  it('is in pages', async () => {
    for (const state of ['waiting', 'failed']) {
      const first = await list(`?state=${state}&limit=1`)
      const second = await list(`?state=${state}&limit=1&cursor=${encodeURIComponent(first.next_cursor)}`)
      expect([...first.items, ...second.items]).toEqual((await list(`?state=${state}`)).items)
    }
  })
})
