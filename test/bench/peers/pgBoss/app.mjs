import PgBoss from 'pg-boss'
import { serve, tell, total } from './serve.mjs'

/** It looks for jobs twice a second at most: a batch takes whatever is there. */
const BATCH = { batchSize: 512, pollingIntervalSeconds: 0.5 }

/** Two jobs an order: the order as it came in, and the decision. */
const boss = new PgBoss({ connectionString: process.env.DATABASE_URL })
boss.on('error', (error) => process.stderr.write(`${error.message}\n`))
await boss.start()
for (const queue of ['order', 'decision']) await boss.createQueue(queue)
await boss.work('order', BATCH, async (jobs) => {
  for (const { data } of jobs) {
    total(data.order)
    tell(data.id, 'parked')
  }
})
await boss.work('decision', BATCH, async (jobs) => {
  for (const { data } of jobs) tell(data.id, 'closed')
})
serve({
  submit: (id, order) => boss.send('order', { id, order }),
  decide: (id, decision) => boss.send('decision', { id, decision }),
  stop: () => boss.stop({ graceful: false }),
})
