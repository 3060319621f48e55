import { fileURLToPath } from 'node:url'

/** The root folder of the repository, found both from the source and from the output of tsc, which is one level deeper. */
export const ROOT = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../..' : '../../..', import.meta.url))
