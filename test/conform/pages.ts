import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { ROOT, samplesOf } from '../support/files/samples.ts'

/** Where the samples take an address and a token of a reader's own; a test has them in its environment. */
const OWN = '.data/credentials.json'

/** A sample waits for a status without an end of its own. */
const LONGEST_MS = 180_000

/**
 * Runs the shell samples of pages one after another in one shell, as a reader does who goes from page to page. Fails with the page and what was
 * said if a command fails.
 */
export async function runPages(pages: readonly string[], folder: string, env: { BASE: string; TOKEN: string }): Promise<void> {
  const scripts: string[] = []
  for (const page of pages) {
    const blocks = (await samplesOf(page)).filter(({ language, source }) => language === 'sh' && !source.includes(OWN))
    scripts.push(`echo "of ${page}" >&2`, ...blocks.map(({ source }) => source))
  }
  const { PATH } = process.env
  const shell = spawn('sh', ['-e'], { cwd: folder, env: { PATH, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
  shell.stdin.end(scripts.join('\n'))
  const late = setTimeout(() => shell.kill('SIGKILL'), LONGEST_MS)
  const [out, err, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'close')])
  clearTimeout(late)
  if (code !== 0) throw new Error(`a sample ended with ${code}:\n${err.slice(-2_000)}\n${out.slice(-2_000)}`)
}

/** Returns the number of lines of a page. */
export async function linesOfPage(page: string): Promise<number> {
  return (await readFile(`${ROOT}/${page}`, 'utf8')).trimEnd().split('\n').length
}
