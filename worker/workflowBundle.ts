import { readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type WorkflowBundle } from '@temporalio/worker'
import { compiledFile } from '../src/adapters/processes/ownModule.ts'

const BUILT = import.meta.url.endsWith('.js')
const ENTRY = fileURLToPath(new URL(`../workflows/index.${BUILT ? 'js' : 'ts'}`, import.meta.url))
const KEPT = { path: '../workflows/bundle', from: import.meta.url }

/** Returns all workflows in one script: the one from the build, or else a new bundle, which takes about a second. */
export async function workflowBundle(): Promise<WorkflowBundle> {
  const file = compiledFile(KEPT, 'cjs')
  const kept = file === undefined ? undefined : await readFile(file, 'utf8').catch(() => undefined)
  return kept === undefined ? makeBundle() : { code: kept }
}

/** Bundles the workflows during the build, so that a start need not. Run it after each compilation: nothing detects an old bundle. */
export async function keepWorkflowBundle(): Promise<void> {
  const { code } = await makeBundle()
  const file = fileURLToPath(new URL(`${KEPT.path}.cjs`, KEPT.from))
  await writeFile(`${file}.part`, code)
  await rename(`${file}.part`, file)
}

function makeBundle(): Promise<WorkflowBundle> {
  const quiet = () => undefined
  const complain = (message: string) => void process.stderr.write(`${message}\n`)
  return bundleWorkflowCode({
    workflowsPath: ENTRY,
    logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: complain, error: complain },
  })
}
