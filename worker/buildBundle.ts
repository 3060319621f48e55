import { keepWorkflowBundle } from './workflowBundle.ts'

// Bundles the workflows during the build, after tsc.
await keepWorkflowBundle()
