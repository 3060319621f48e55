/** Returns a function that does the work once: concurrent calls wait for it. After a failure the next call tries again. */
export function onceDone(work: () => Promise<unknown>): () => Promise<unknown> {
  let done: Promise<unknown> | undefined
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined
      throw error
    })
    return done
  }
}
