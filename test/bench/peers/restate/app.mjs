import * as restate from '@restatedev/restate-sdk'
import { tell, total } from './serve.mjs'

// The SDK calls it, and Node 20 lacks it.
Promise.withResolvers ??= () => {
  const parts = {}
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }))
  return parts
}

/** One workflow an order: a step that totals it, a wait for the decision, a step that closes it. */
const order = restate.workflow({
  name: 'order',
  handlers: {
    run: async (ctx, body) => {
      const amount = await ctx.run('total', () => total(body))
      tell(ctx.key, 'parked')
      const { decision } = await ctx.promise('decision')
      const placed = await ctx.run('place', () => ({ amount, decision }))
      tell(ctx.key, 'closed')
      return placed
    },
    decide: async (ctx, decision) => {
      await ctx.promise('decision').resolve(decision)
    },
  },
  // An order waits for people: it leaves memory after a second instead of a minute, so that the thousand invocations at once are not used up.
  options: { inactivityTimeout: 1_000 },
})

await restate.serve({ services: [order], port: Number(process.env.PORT) })
process.send({ ready: true })
process.on('SIGTERM', () => process.exit(0))
