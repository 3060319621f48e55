export interface Gate {
  open(): void
  /** Resolves once it is open. */
  readonly opened: Promise<void>
}

/** What a reply waits at until the spec lets it pass. */
export function gate(): Gate {
  let open: () => void = () => undefined
  const opened = new Promise<void>((done) => {
    open = done
  })
  return { open, opened }
}
