import { libraryPeer } from './library.ts'

const JOBS = 'two jobs an order: the order as it came in is delivered to a handler, and the decision to another'
const LEFT_OUT = 'everything but intake and delivery of jobs: no workflow, no state of an order, no check, no second party, no log'

export const graphileWorker = libraryPeer(
  { folder: 'graphileWorker', main: 'graphile-worker', files: ['app.mjs', 'serve.mjs'] },
  { name: 'graphile-worker', work: JOBS, leavesOut: LEFT_OUT, atOnce: 32 },
)

/** It looks for jobs at most twice a second: more orders are on their way, so that it is kept busy. */
export const pgBoss = libraryPeer(
  { folder: 'pgBoss', main: 'pg-boss', files: ['app.mjs', 'serve.mjs'] },
  { name: 'pg-boss', work: JOBS, leavesOut: LEFT_OUT, atOnce: 512 },
)

export const dbos = libraryPeer(
  { folder: 'dbos', main: '@dbos-inc/dbos-sdk', files: ['app.mjs', 'serve.mjs'] },
  {
    name: 'DBOS',
    work: 'one workflow an order: two durable steps around a durable wait for the decision',
    leavesOut: 'checks of tokens, prices and avails; tenants; the log and feed of events (its word reaches the driver through memory)',
    atOnce: 32,
  },
)
