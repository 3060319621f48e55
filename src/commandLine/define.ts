import type { Command } from 'commander'
import { type GlobalOptions, openSession, type Session } from './session.ts'

const EXAMPLES = new WeakMap<Command, readonly string[]>()

/** Returns the examples of a command, as its help shows them. */
export function examplesOf(command: Command): readonly string[] {
  return EXAMPLES.get(command) ?? []
}

/** Gives a command its examples, which its help shows. */
export function shows(command: Command, examples: readonly string[]): void {
  EXAMPLES.set(command, examples)
  command.addHelpText('after', `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${examples.map((line) => `  ${line}\n`).join('')}`)
}

/** Gives a command its examples and its work: `work` gets the session, the options and the arguments. */
export function does<Options extends object, Args extends unknown[] = []>(
  command: Command,
  examples: readonly string[],
  work: (session: Session, options: Options & GlobalOptions, ...args: Args) => Promise<void>,
): void {
  shows(command, examples)
  command.action((...given: unknown[]) => {
    const args = given.slice(0, -2) as Args
    const options = command.optsWithGlobals() as Options & GlobalOptions
    return work(openSession(options), options, ...args)
  })
}
