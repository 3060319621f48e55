import { makeWorkerUtils, run } from 'graphile-worker'
import { serve, tell, total } from './serve.mjs'

const AT_ONCE = 32

/** Two jobs an order: the order as it came in, and the decision. */
const runner = await run({
  connectionString: process.env.DATABASE_URL,
  concurrency: AT_ONCE,
  maxPoolSize: AT_ONCE,
  noHandleSignals: true,
  crontab: '',
  logger: await quiet(),
  taskList: {
    order: ({ id, order }) => {
      total(order)
      tell(id, 'parked')
    },
    decision: ({ id }) => tell(id, 'closed'),
  },
})
const utils = await makeWorkerUtils({ connectionString: process.env.DATABASE_URL, logger: await quiet() })
serve({
  submit: (id, order) => utils.addJob('order', { id, order }),
  decide: (id, decision) => utils.addJob('decision', { id, decision }),
  stop: () => runner.stop(),
})

async function quiet() {
  const { Logger } = await import('graphile-worker')
  return new Logger(() => () => undefined)
}
