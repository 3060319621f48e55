import type { Command } from 'commander'
import { conformCommand } from '../../conform/command.ts'
import { shows } from '../define.ts'
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
  for (const suite of conform.commands) shows(suite, [`order-marketplace conform ${EXAMPLES[suite.name()]}`])
  // Options of the whole command line are its own wherever they stand: those that a suite has too are handed on.
  conform.hook('preAction', (_, suite) => {
    const given = program.opts<GlobalOptions>()
    for (const name of ['json', 'url', 'token'] as const)
      if (given[name] !== undefined && suite.options.some((option) => option.attributeName() === name))
        suite.setOptionValue(name, given[name])
  })
  program.addCommand(conform)
}

const EXAMPLES: Readonly<Record<string, string>> = {
  seller: 'seller --url http://localhost:8080 --token $TOKEN --counters prime --out report',
  buyer: 'buyer --url http://localhost:8080 --token $TOKEN --run "node buyer.mjs"',
  webhook: 'webhook http://localhost:3000/hook --secret whsec_…',
  pull: 'pull http://localhost:9090 --secret whsec_…',
}
