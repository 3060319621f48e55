import { MarketplaceError, NoAnswerError } from '../../client/src/index.ts'
import { SshKeyFault } from '../adapters/keys/sshKeyFault.ts'
import { ReleaseFault } from '../adapters/temporal/releaseFault.ts'
import { ConfigFault } from '../config/index.ts'
import { DemoFault } from '../local/demo/demoFault.ts'
import { StartupError } from '../local/embedded/startupError.ts'
import { DropFault } from '../sdk/dropClient/dropFault.ts'
import { databaseFault } from '../store/connection/databaseFault.ts'
import { CredentialFault } from '../store/tenants/credentialFault.ts'
import { SecretsKeyFault } from '../store/tenants/secrets.ts'

/**
 * Ends a program because of a fault, with one sentence if the user can fix it, else with the stack trace. Every command loads this module,
 * so each fault has its own file: a command then loads no client of an engine that it does not use.
 */
export function endWith(error: unknown, exitCode = 1): never {
  process.stderr.write(`${sentenceOf(error) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`)
  process.exit(exitCode)
}

const FAULTS = [
  ConfigFault,
  StartupError,
  CredentialFault,
  ReleaseFault,
  SshKeyFault,
  SecretsKeyFault,
  DemoFault,
  DropFault,
  MarketplaceError,
  NoAnswerError,
]

function sentenceOf(error: unknown): string | undefined {
  return FAULTS.some((fault) => error instanceof fault) ? (error as Error).message : databaseFault(error)
}
