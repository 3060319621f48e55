import { spawnSync } from 'node:child_process'

/** Returns whether this machine has a program and its call with these arguments succeeds. */
export function succeeds(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}
