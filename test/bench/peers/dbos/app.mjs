import { DBOS } from '@dbos-inc/dbos-sdk'
import { serve, tell, total } from './serve.mjs'

const DECISION = 'decision'
const TWO_DAYS_S = 172_800

/** One workflow an order: a step that totals it, a wait for the decision, a step that closes it. */
async function carryOrder(order) {
  const id = DBOS.workflowID
  const amount = await DBOS.runStep(async () => total(order), { name: 'total' })
  tell(id, 'parked')
  const decision = await DBOS.recv(DECISION, TWO_DAYS_S)
  const placed = await DBOS.runStep(async () => ({ amount, decision: decision.decision }), { name: 'place' })
  return placed
}

const workflow = DBOS.registerWorkflow(carryOrder, { name: 'carryOrder' })

DBOS.setConfig({ name: 'peer', systemDatabaseUrl: process.env.DATABASE_URL, logLevel: 'error' })
await DBOS.launch()
serve({
  submit: async (id, order) => {
    const handle = await DBOS.startWorkflow(workflow, { workflowID: id })(order)
    void handle.getResult().then(() => tell(id, 'closed'))
  },
  decide: (id, decision) => DBOS.send(id, decision, DECISION),
  stop: async () => undefined, // orders still wait; a shutdown would wait for them
})
