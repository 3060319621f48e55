import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs a Python program with the arguments as one JSON text; its standard output as JSON. Nothing of ours is in it but what it is given. */
export async function python<Answer>(program: string, argument: unknown): Promise<Answer> {
  const { stdout } = await promisify(execFile)('python3', ['-c', program, JSON.stringify(argument)])
  return JSON.parse(stdout) as Answer
}
