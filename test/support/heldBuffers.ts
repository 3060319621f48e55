import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Returns a function that tells how many more bytes are in buffers than at this call. If that exceeds the bound, it first collects garbage,
 * so that the result does not depend on when garbage is collected.
 */
export function watchBuffers(bound: number): () => number {
  const collect = garbageCollector()
  const used = () => process.memoryUsage().arrayBuffers
  collect()
  const before = used()
  return () => {
    if (used() - before > bound) collect()
    return used() - before
  }
}

/** Collects twice, since a collection may free buffers in the background and the next one waits for that. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc') // for contexts that are created later
  return () => {
    collect()
    collect()
  }
}
