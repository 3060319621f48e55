import { readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type WorkflowBundle } from '@temporalio/worker'

const BUILT = import.meta.url.endsWith('.js')
const ENTRY = fileURLToPath(new URL(`../workflows/index.${BUILT ? 'js' : 'ts'}`, import.meta.url))
const KEPT = fileURLToPath(new URL('../workflows/bundle.cjs', import.meta.url))

/** Returns all workflows in one script: the one from the build, else a new bundle, which takes about a second. */
export async function workflowBundle(): Promise<WorkflowBundle> {
  const kept = BUILT ? await readFile(KEPT, 'utf8').catch(() => undefined) : undefined
  return kept === undefined ? makeBundle() : { code: kept }
}

/** A step of the build, so that a start need not: run it after each compilation, since nothing else notices that the script is old. */
export async function keepWorkflowBundle(): Promise<void> {
  const { code } = await makeBundle()
  await writeFile(`${KEPT}.part`, code)
  await rename(`${KEPT}.part`, KEPT)
}

function makeBundle(): Promise<WorkflowBundle> {
  const quiet = () => undefined
  const complain = (message: string) => void process.stderr.write(`${message}\n`)
  return bundleWorkflowCode({
    workflowsPath: ENTRY,
    logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: complain, error: complain },
  })
}
