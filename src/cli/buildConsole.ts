import { buildFiles, consoleFolder, textOf } from '../adapters/files/consoleBuild.ts'
import { buildConsole } from '../local/embedded/buildConsole.ts'
import { endWith } from './endWith.ts'

/** `npm run console:build`: builds the console if its sources have changed since the last build. */
async function main(): Promise<void> {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  const isBuilt = await buildConsole({ onProgress: (text) => process.stderr.write(`${text}\n`), signal: stopping.signal })
  if (!isBuilt) process.exitCode = 1
  else process.stdout.write(`console ${textOf(buildFiles(consoleFolder).stamp)}\n`)
}

main().catch(endWith)
