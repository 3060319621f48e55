/** Makes calls of `work` that come close together into one: it runs at once, then again at most every `pause` ms while it is wanted. */
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
