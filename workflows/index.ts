/** The entry point of the bundle. Temporal can start the workflows exported here by name. */

export { deliverWorkflow } from './deliverEvents.ts'
export { holdWorkflow } from './hold.ts'
export { housekeepingWorkflow } from './housekeeping.ts'
export { ingestDropWorkflow } from './ingestDrop.ts'
export { mailOrdersWorkflow } from './mailOrders.ts'
export { makegoodWorkflow } from './makegood.ts'
export { orderWorkflow } from './order.ts'
export { reconcileOrdersWorkflow } from './reconcileOrders.ts'
export { sandboxOrderWorkflow, sandboxPartyWorkflow, sandboxRequestWorkflow } from './sandbox.ts'
export { settlementWorkflow } from './settlement.ts'
