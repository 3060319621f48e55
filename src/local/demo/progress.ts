import ora, { type Ora } from 'ora'

/** Progress on standard error: a spinner on a terminal, plain lines elsewhere. */
export interface Progress {
  say(text: string): void
  /** Prints `text` if the work takes longer than a second. Returns the work's result. */
  during<T>(text: string, work: Promise<T>): Promise<T>
  /** Prints each message on its own line from now on, or until `during`. */
  rest(): void
}

export function openProgress(): Progress {
  let spinner: Ora | undefined
  const say = (text: string) => {
    // On a terminal that reports zero columns, as in some containers, ora would clear lines forever.
    if (!process.stderr.isTTY || !process.stderr.columns) return void process.stderr.write(`${text}\n`)
    // Disables discardStdin, which would keep Ctrl-C from reaching this process.
    spinner ??= ora({ stream: process.stderr, discardStdin: false }).start()
    spinner.text = text
  }
  const rest = () => {
    spinner?.stop()
    spinner = undefined
  }
  return {
    say,
    rest,
    during: async (text, work) => {
      const late = setTimeout(() => say(`${text} ...`), 1_000)
      try {
        return await work
      } finally {
        clearTimeout(late)
        rest()
      }
    },
  }
}
