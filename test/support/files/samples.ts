import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** A fenced block of a page of the documentation. */
export interface Sample {
  language: string
  source: string
}

export async function samplesOf(page: string): Promise<Sample[]> {
  const text = await readFile(join(ROOT, page), 'utf8')
  return [...text.matchAll(/^ *```(\w+)\n([\s\S]*?)^ *```$/gm)].map(([, language = '', source = '']) => ({ language, source }))
}

/** Returns the blocks of a language on a page, in their order; throws unless there are as many as the test expects. */
export async function samplesIn<Count extends number>(page: string, language: string, count: Count): Promise<string[]> {
  const found = (await samplesOf(page)).filter((sample) => sample.language === language).map(({ source }) => source)
  if (found.length !== count) throw new Error(`${page} has ${found.length} samples in ${language}, and the test knows ${count}`)
  return found
}

/** A sample that runs as it would for somebody who has only the page. */
export interface Running {
  process: ChildProcess
  /** Lines of standard output so far. */
  lines(): string[]
  output(): string
  errors(): string
  /** Its exit code. */
  ended: Promise<number | null>
}

const PROGRAMS = { js: ['node', 'mjs'], python: ['python3', 'py'], sh: ['sh', 'sh'] } as const

/** Runs a sample unchanged in `folder`, with nothing of ours except the npm packages that it names. */
export async function runSample(language: keyof typeof PROGRAMS, source: string, folder: string, env: NodeJS.ProcessEnv): Promise<Running> {
  const [program, ending] = PROGRAMS[language]
  const file = join(folder, `sample.${ending}`)
  await writeFile(file, source)
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules')).catch(() => undefined)
  const { PATH, PYTHONPATH } = process.env
  const child = spawn(program, [file], { cwd: folder, env: { PATH, ...(PYTHONPATH && { PYTHONPATH }), ...env } })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  return {
    process: child,
    lines: () => out.split('\n').slice(0, -1),
    output: () => out,
    errors: () => err,
    ended: new Promise((resolve) => child.once('close', resolve)),
  }
}
