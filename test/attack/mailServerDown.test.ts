import { beforeAll, expect, it } from '@jest/globals'
import { freePort } from '../../src/local/embedded/ports.ts'
import { type MailServer, startMailServer } from '../support/edi/mailServer.ts'
import { expectMailedOnce, orderMail, smtpMailer } from '../support/edi/orderMail.ts'
import { useMarket } from '../support/useMarket.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'

const market = useMarket()
const AGREEMENTS = ['agr-1', 'agr-2', 'agr-3', 'agr-4']
let port: number
let workers: ReturnType<typeof orderMail>[]
let server: MailServer | undefined
beforeAll(async () => {
  port = await freePort()
  workers = [orderMail(market, smtpMailer(port)), orderMail(market, smtpMailer(port))]
})
market.beforeStop(async () => {
  for (const worker of workers) await worker.stop()
  await server?.stop()
})

/** Every agreement sends, by two workers. */
const round = () => Promise.all(workers.flatMap(({ sender }) => AGREEMENTS.map((agreement) => sender.send(agreement))))
const waiting = async () =>
  (await market.owner().query<{ waiting: number }>(`select count(*)::int as waiting from edi_messages where status = 'queued'`)).rows[0]
    ?.waiting

it('orders that are placed, canceled and revised while the mail server is away are each mailed once, in order, when it is back', async () => {
  const [mail] = workers as [ReturnType<typeof orderMail>]
  for (const agreement of AGREEMENTS) await mail.agree(agreement)
  const orders = scale(40, 1_000)
  let next = 0
  const work = async (): Promise<void> => {
    while (next < orders) {
      const at = next++
      const agreement_id = AGREEMENTS[at % AGREEMENTS.length] as string
      const order_id = await mail.placed(agreement_id)
      if (at % 5 === 1) await mail.cancel(order_id)
      if (at % 5 === 2) {
        await mail.placed(agreement_id, { revision: { supersedes: order_id } })
        await mail.close(order_id)
      }
    }
  }
  // The server is away from the first order on, and for three attempts of each mail.
  const placing = Array.from({ length: 8 }, work)
  await round()
  await Promise.all(placing)
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await mail.makeDue()
    await round()
  }

  server = await startMailServer(port)
  const back = performance.now()
  // Some of the connections that it takes break after DATA.
  let broken = 0
  server.treat(() => (broken++ % 20 === 7 ? 'cut' : 'accept'))
  for (let rounds = 0; rounds < 10 && (await waiting()) !== 0; rounds += 1) {
    await mail.makeDue()
    await round()
  }

  const rows = (await Promise.all(AGREEMENTS.map((agreement) => mail.messages(agreement)))).flat()
  const revised = Math.ceil((orders - 2) / 5)
  const canceled = Math.ceil((orders - 1) / 5)
  expect(rows).toHaveLength(orders + canceled + 2 * revised)
  expect(rows.filter(({ status_reason }) => status_reason === 'replaced')).toHaveLength(revised)
  await expectMailedOnce(rows, server.taken)
  report('mail server down', { orders, mails: server.taken.length, back_ms: Math.round(performance.now() - back) })
}, 600_000)
