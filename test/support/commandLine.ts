import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll } from '@jest/globals'
import { type TemporaryFolder, temporaryFolder } from './files/temporaryFolder.ts'
import { type Ended, runProgram } from './runProgram.ts'

/** `order-marketplace` as processes, with a home of their own. */
export interface CommandLine {
  /** A folder that is empty at first; the profiles are below it too. */
  readonly folder: string
  /** Runs a command as a tenant. */
  as(access: { baseUrl: string; token: string }, ...args: string[]): Promise<Ended>
  /** Runs a command with these settings alone. */
  run(args: readonly string[], settings?: NodeJS.ProcessEnv): Promise<Ended>
  /** Returns what a command that is done prints as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: each test says what it is
  json(access: { baseUrl: string; token: string }, ...args: string[]): Promise<any>
  /** Writes a file, text as it is and anything else as JSON, and returns its path. */
  file(name: string, content: unknown): Promise<string>
}

export const COMMAND_LINE = 'src/commandLine/main'

export function useCommandLine(): CommandLine {
  let home: TemporaryFolder
  beforeAll(async () => {
    home = await temporaryFolder()
  })
  afterAll(() => home.remove())
  const run: CommandLine['run'] = (args, settings = {}) =>
    runProgram(COMMAND_LINE, args, { XDG_CONFIG_HOME: join(home.path, 'config'), ...settings })
  const as: CommandLine['as'] = ({ baseUrl, token }, ...args) => run(args, { MARKETPLACE_URL: baseUrl, MARKETPLACE_TOKEN: token })
  return {
    get folder() {
      return home.path
    },
    run,
    as,
    async json(access, ...args) {
      const { code, out, err } = await as(access, ...args, '--json')
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${err}${out}`)
      return JSON.parse(out)
    },
    async file(name, content) {
      const path = join(home.path, name)
      await writeFile(path, typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content, null, 2))
      return path
    },
  }
}
