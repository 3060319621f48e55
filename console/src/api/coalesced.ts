/** Combines frequent calls of `work`: it runs at once, then at most once per `pause` ms while calls keep coming. */
export function coalesced(work: () => Promise<unknown>, pause: number): () => void {
  let isBusy = false
  let isWanted = false
  const run = async () => {
    isBusy = true
    isWanted = false
    await work().catch(() => undefined)
    setTimeout(() => {
      isBusy = false
      if (isWanted) void run()
    }, pause)
  }
  return () => {
    isWanted = true
    if (!isBusy) void run()
  }
}
