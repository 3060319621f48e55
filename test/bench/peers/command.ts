import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export interface CommandOptions {
  cwd: string
  env?: NodeJS.ProcessEnv
}

/** Runs a program to its end; it is stopped when this process leaves before. Fails as execFile does: {@link reasonOf} says why. */
export async function runCommand(command: string, args: readonly string[], options: CommandOptions): Promise<void> {
  const running = promisify(execFile)(command, args, { ...options, maxBuffer: 64 << 20 })
  const onOurExit = () => running.child.kill()
  process.once('exit', onOurExit)
  await running.finally(() => process.removeListener('exit', onOurExit))
}

/** The line of a failed command that says most. */
export function reasonOf(error: unknown): string {
  const { code, stderr, message } = error as { code?: unknown; stderr?: string; message?: string }
  if (code === 'ENOENT') return 'the program is not installed'
  const lines = (stderr || message || String(error)).trim().split('\n')
  return (lines.findLast((line) => /error|forbidden|not available/i.test(line)) ?? lines.at(-1) ?? '').trim().slice(0, 200)
}
