/** A promise that is settled from outside, once. Nobody need wait for it: its rejection is no unhandled one. */
export interface Settable {
  readonly happened: Promise<void>
  resolve(): void
  reject(error: unknown): void
}

export function settable(): Settable {
  let [resolve, reject] = [(): void => undefined, (_: unknown): void => undefined]
  const happened = new Promise<void>((done, fail) => {
    ;[resolve, reject] = [done, fail]
  })
  happened.catch(() => undefined)
  return { happened, resolve: () => resolve(), reject: (error) => reject(error) }
}
