import { ConfigFault } from '../config.ts'
import { DemoFault } from '../demo/client.ts'
import { StartupError } from '../embedded/startupError.ts'
import { databaseFault } from '../store/connection/databaseFault.ts'
import { CredentialFault } from '../store/tenants/credentials.ts'
import { SecretsKeyFault } from '../store/tenants/secrets.ts'

/** Ends a program for a fault: with one sentence where a user can put it right, else with the stack, which shows where. */
export function endWith(error: unknown): never {
  process.stderr.write(`${sentenceOf(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`)
  process.exit(1)
}

const FAULTS = [ConfigFault, StartupError, CredentialFault, SecretsKeyFault, DemoFault]

function sentenceOf(error: unknown): string | undefined {
  return FAULTS.some((fault) => error instanceof fault) ? (error as Error).message : databaseFault(error)
}
