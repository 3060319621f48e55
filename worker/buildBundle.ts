import { keepWorkflowBundle } from './workflowBundle.ts'

// A step of the build, after tsc.
await keepWorkflowBundle()
