/** Starts `recomputeThread.ts` in development, since a thread does not inherit the TypeScript loader from its process. */
import { register } from 'tsx/esm/api'

register()
await import('./recomputeThread.ts')
