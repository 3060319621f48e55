import { Command } from 'commander'
import { conformCommand } from '../conform/command.ts'
import { endWith } from './endWith.ts'

/** `npm run conform -- seller | buyer | webhook | pull`: holds an integration to the contract (docs/build/conformance.md). */
const program = new Command('npm run conform --').exitOverride((fault) => process.exit(fault.exitCode === 0 ? 0 : 2))
for (const suite of conformCommand().commands) program.addCommand(suite.exitOverride((fault) => process.exit(fault.exitCode === 0 ? 0 : 2)))
program.parseAsync().catch((error: unknown) => endWith(error))
