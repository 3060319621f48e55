import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { processArguments } from '../adapters/processes/ownModule.ts'

/** The programs of the operator: what each does, and its module. They speak to the database, and so are processes of their own. */
export const OPERATOR_PROGRAMS: Readonly<Record<string, { about: string; path: string }>> = {
  token: { about: 'issues, lists and revokes credentials, SSH keys and subjects', path: '../cli/token' },
  query: { about: 'runs one SQL statement, read-only unless --write is given', path: '../cli/query' },
  migrate: { about: 'migrates the database to this version', path: '../cli/migrate' },
  release: { about: 'gives the runs of orders to the workers of a release', path: '../cli/release' },
  restored: { about: 'makes a restored database go on', path: '../cli/restored' },
  temporal: { about: "runs Temporal's own command line", path: '../cli/temporal' },
  'secrets:rotate-key': { about: 'encrypts the stored secrets under another key', path: '../cli/rotateSecretsKey' },
}

/** Runs a program of the operator with the terminal of this one, and returns its exit status; undefined if it is none. */
export async function runOperatorProgram([name, ...args]: readonly string[]): Promise<number | undefined> {
  const program = name === undefined || !Object.hasOwn(OPERATOR_PROGRAMS, name) ? undefined : OPERATOR_PROGRAMS[name]
  if (program === undefined) return undefined
  const child = spawn(process.execPath, [...processArguments({ path: program.path, from: import.meta.url }), ...args], { stdio: 'inherit' })
  // The terminal signals the program too, which says how it ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void child.kill(signal))
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
