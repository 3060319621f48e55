import { FAULTS_OF_ORDERS } from './faultsOfOrders.ts'
import { FAULTS_OF_READS } from './faultsOfReads.ts'
import type { Alteration } from './faultyProxy.ts'

/** A fault that a marketplace could have, and the story that notices it. */
export interface Fault {
  /** In one sentence, for docs/build/contract-suite.md. */
  readonly what: string
  readonly caughtBy: string
  /** Makes it anew for a run, since some need to remember. */
  readonly make: (tokens: { acme: string; cable: string }) => Alteration
}

export const FAULTS: readonly Fault[] = [...FAULTS_OF_ORDERS, ...FAULTS_OF_READS]
