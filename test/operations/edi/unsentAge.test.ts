import { expect, it } from '@jest/globals'
import { readMarketFigures } from '../../../src/store/figures/marketFigures.ts'
import { storeMail } from '../../support/edi/storedMails.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const age = async () => (await readMarketFigures(market.owner())).backlog.mail_s

it('the age of the oldest unsent mail is that of its event, and 0 when none waits', async () => {
  const orderId = await market.placed()
  await storeMail(market.deps, orderId, { seq: 4, status: 'sent', created_at: '2020-01-01T00:00:00.000Z' })
  expect(await age()).toBe(0)
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
  const waiting = await storeMail(market.deps, orderId, { seq: 5, status: 'queued', created_at: hourAgo })
  expect(await age()).toBeGreaterThanOrEqual(3_600)
  await market.owner().query(`update edi_messages set status = 'failed' where message_id = $1`, [waiting])
  expect(await age()).toBe(0)
})
