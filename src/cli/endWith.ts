import { ReleaseFault } from '../adapters/releaseFault.ts'
import { SshKeyFault } from '../adapters/sshKeyFault.ts'
import { ApiError, NoAnswerError } from '../client/apiError.ts'
import { ConfigFault } from '../config.ts'
import { DemoFault } from '../demo/demoFault.ts'
import { DropFault } from '../dropClient/dropFault.ts'
import { StartupError } from '../embedded/startupError.ts'
import { databaseFault } from '../store/connection/databaseFault.ts'
import { CredentialFault } from '../store/tenants/credentialFault.ts'
import { SecretsKeyFault } from '../store/tenants/secrets.ts'

/**
 * Ends a program for a fault: with one sentence where a user can put it right, else with the stack, which shows where. Every command
 * loads this module: the faults are in files of their own, so that a command loads no client of an engine that it does not use.
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
  ApiError,
  NoAnswerError,
]

function sentenceOf(error: unknown): string | undefined {
  return FAULTS.some((fault) => error instanceof fault) ? (error as Error).message : databaseFault(error)
}
