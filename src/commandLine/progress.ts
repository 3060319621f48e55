import ora from 'ora'

/** Shows what takes longer than a second on standard error: as a spinner on a terminal, as a line elsewhere. Returns the work's result. */
export async function during<T>(text: string, work: () => Promise<T>): Promise<T> {
  let end = () => undefined as unknown
  const late = setTimeout(() => {
    const { isTTY, columns } = process.stderr
    // A terminal that reports no columns, as in some containers, would be cleared for ever.
    if (!isTTY || !columns) return void process.stderr.write(`${text} …\n`)
    const spinner = ora({ stream: process.stderr, discardStdin: false, text }).start()
    end = () => spinner.stop()
  }, 1_000)
  try {
    return await work()
  } finally {
    clearTimeout(late)
    end()
  }
}
