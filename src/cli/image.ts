import { ConfigFault, readConfig } from '../config/index.ts'
import { endWith } from './endWith.ts'

/** Runs the program of a command in the container image, in this process, so that signals reach it. */
async function main(): Promise<void> {
  const [node = '', file = '', command, ...others] = process.argv
  const program = command === undefined ? undefined : PROGRAMS.get(command)
  const known = `commands are ${[...PROGRAMS.keys()].join(', ')}`
  if (command === undefined) throw new ConfigFault(`A command is missing; ${known}.`)
  if (program === undefined) throw new ConfigFault(`The command ${JSON.stringify(command)} is unknown; ${known}.`)
  if (command === 'all') requireEngines()
  for (const [signal, code] of ENDS) process.on(signal, () => endUnlessHandled(signal, code))
  process.argv = [node, file, ...others]
  await import(new URL(`${program}.${ENDING}`, import.meta.url).href)
}

const ENDING = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

/** The module of each command. */
const PROGRAMS = new Map([
  ['api', '../../api/main'],
  ['worker', '../../worker/main'],
  ['sftp', '../../sftp/main'],
  ['bounces', '../../bounces/main'],
  ['migrate', './migrate'],
  ['token', './token'],
  ['all', './start'],
  ['query', './query'],
  ['release', './release'],
  ['restored', './restored'],
  ['secrets:rotate-key', './rotateSecretsKey'],
])

const ENDS = [
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const

/** Ends the program by a signal that it does not handle, as the system does elsewhere; the first process of a container would ignore it. */
function endUnlessHandled(signal: NodeJS.Signals, code: number): void {
  if (process.listenerCount(signal) === 1) process.exit(code)
}

function requireEngines(): void {
  const { databaseUrl, temporalAddress } = readConfig()
  const name = databaseUrl === undefined ? 'DATABASE_URL' : 'TEMPORAL_ADDRESS'
  if (databaseUrl === undefined || temporalAddress === undefined)
    throw new ConfigFault(`${name} must be set for the command all: the image holds neither PostgreSQL nor Temporal.`)
}

main().catch((error) => endWith(error, 2))
