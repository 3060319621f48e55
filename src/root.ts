import { fileURLToPath } from 'node:url'

/** The repository, from the source as from the output of tsc, which is one level deeper. */
export const ROOT = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '..' : '../..', import.meta.url))
