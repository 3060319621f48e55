/** Starts `recomputeThread.ts` in development: a thread does not take the TypeScript loader over from its process. */
import { register } from 'tsx/esm/api'

register()
await import('./recomputeThread.ts')
