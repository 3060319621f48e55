import { CommanderError } from 'commander'
import { failureOf } from './exits.ts'
import { runOperatorProgram } from './operator.ts'
import { hasWritten, say, writeJson } from './output.ts'
import { makeProgram } from './program.ts'

/** `order-marketplace …`: the command line of integrators and operators. */
async function main(): Promise<void> {
  // A write reports its own fault; without a listener the process would end with a stack trace.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const [, , first, ...others] = process.argv
  try {
    const code = first === 'operator' ? await runOperatorProgram(others) : undefined
    if (code === undefined) await makeProgram().parseAsync()
    else process.exitCode = code
  } catch (error) {
    const { status, lines, json } = failureOf(error)
    // Commander has said what it is itself.
    const isTold = error instanceof CommanderError
    for (const line of isTold ? [] : lines) say(line)
    if (process.argv.includes('--json') && !isTold && !hasWritten()) await writeJson(json).catch(() => undefined)
    process.exitCode = status
  }
  // A request that was given up, or a connection that is kept open, must not keep the command.
  process.exit()
}

await main()
