import { parseArgs } from 'node:util'
import { readConfig } from '../config/index.ts'
import { checkDatabase } from '../local/embedded/checkDatabase.ts'
import { StartupError } from '../local/embedded/startupError.ts'
import { migrate, pendingMigrations } from '../store/migrations/migrate.ts'
import { endWith } from './endWith.ts'
import { onDatabase } from './onDatabase.ts'

/**
 * `npm run -s migrate [-- --check]`: migrates the configured database to this version's schema and prints each applied migration; with
 * `--check` only prints the pending ones. Exit code 1 when something is pending, 2 when the database could not be migrated or checked.
 */
async function main(): Promise<void> {
  const checks = readArguments()
  const config = readConfig()
  await onDatabase(config, async (databaseUrl) => {
    if (config.databaseUrl !== undefined) await checkDatabase(databaseUrl)
    const names = checks ? await pendingMigrations(databaseUrl) : await migrate(databaseUrl, print('applied'))
    if (names.length === 0) process.stdout.write('The schema is up to date.\n')
    if (!checks || names.length === 0) return
    names.forEach(print('pending'))
    process.exitCode = 1
  })
}

function print(word: string): (name: string) => void {
  return (name) => process.stdout.write(`${word} ${name}\n`)
}

function readArguments(): boolean {
  try {
    return parseArgs({ options: { check: { type: 'boolean', default: false } } }).values.check
  } catch {
    throw new StartupError('Usage: npm run -s migrate [-- --check].')
  }
}

main().catch((error) => endWith(error, 2))
