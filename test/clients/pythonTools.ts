import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hashOf, kept, run } from './generators.ts'

export const PYTHON_CLIENT = fileURLToPath(new URL('../../clients/python/', import.meta.url))

/** Returns the interpreter of an environment with what makes the Python client, in the versions that the folder names; installed once. */
export async function makingPython(): Promise<string> {
  const requirements = join(PYTHON_CLIENT, 'make/requirements.txt')
  const version = await pythonVersion()
  const venv = await kept('python-making', hashOf([version, await readFile(requirements, 'utf8')]), async (folder) => {
    await run('python3', ['-m', 'venv', folder])
    await pip(folder, '--requirement', requirements)
  })
  return join(venv, 'bin/python')
}

export async function pythonVersion(): Promise<string> {
  return (await run('python3', ['--version'])).stdout
}

/** Installs into an environment. */
export async function pip(venv: string, ...what: string[]): Promise<void> {
  await run(join(venv, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...what])
}
