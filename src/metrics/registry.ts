import { Registry } from 'prom-client'

/** The metrics of this process. A module registers its own when it is loaded, so a process shows only what it can measure. */
export const REGISTRY = new Registry()
