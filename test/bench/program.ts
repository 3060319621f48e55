import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { processArguments } from '../../src/adapters/processes/ownModule.ts'
import { ALLOCATION } from '../../src/local/embedded/processes.ts'

/** A server or a worker in a process of its own, as in production. */
export interface Program {
  readonly pid: number
  /** What it said when it was ready. */
  readonly ready: Readonly<Record<string, unknown>>
  /** Sends a message and waits for the next answer. */
  ask<Answer>(message: object): Promise<Answer>
  /** Calls back with every message that comes after the first. */
  hear(listener: (message: unknown) => void): void
  stop(): Promise<void>
}

/**
 * Runs a module of this repository (a path from its root, without `.ts`) until `{ready: true}` comes from it: as it was built, where it belongs to
 * what is built.
 */
export function startProgram(module: string, env: Readonly<Record<string, string>>): Promise<Program> {
  return startNode(module, processArguments({ path: `../../${module}`, from: import.meta.url }), env)
}

/** Runs node with these arguments, in this folder when one is named, until `{ready: true}` comes from it. */
export async function startNode(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<Program> {
  const flags = process.env.BENCH_NODE_FLAGS?.split(' ').filter((flag) => flag !== '') ?? []
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd,
    env: { ...ALLOCATION, ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const onOurExit = () => child.kill('SIGKILL')
  process.once('exit', onOurExit)
  child.once('exit', () => process.removeListener('exit', onOurExit))
  return {
    pid: child.pid ?? 0,
    ready: await nextMessage(child, name),
    ask: async <Answer>(message: object) => {
      const answer = nextMessage(child, name)
      child.send(message)
      return (await answer) as Answer
    },
    hear: (listener) => void child.on('message', listener),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

async function nextMessage(child: ChildProcess, name: string): Promise<Record<string, unknown>> {
  const giveUp = new AbortController()
  try {
    return await Promise.race([
      once(child, 'message', { signal: giveUp.signal }).then(([message]) => message as Record<string, unknown>),
      once(child, 'exit', { signal: giveUp.signal }).then(([code]): never => {
        throw new Error(`${name} ended with exit code ${code}`)
      }),
    ])
  } finally {
    giveUp.abort()
  }
}
