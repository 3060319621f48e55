/** The entry point of the bundle: what is exported here can be started by name. */
export { orderWorkflow } from './order.ts'
