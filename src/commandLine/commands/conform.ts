import type { Command } from 'commander'
import { conformCommand } from '../../conform/command.ts'
import { type GlobalOptions, openSession } from '../session.ts'

/** `conform seller | buyer | webhook | pull`, which says itself what is missing where there is no profile. */
export function addConform(program: Command): void {
  const conform = conformCommand(() =>
    openSession(program.opts<GlobalOptions>())
      .access()
      .catch(() => ({})),
  )
  // Commander hands its own errors to the whole command line.
  for (const each of [conform, ...conform.commands]) each.exitOverride()
  program.addCommand(conform)
}
