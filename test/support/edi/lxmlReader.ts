import { execFile, spawnSync } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const LXML = 'lxml==6.1.3'
const PROGRAM = fileURLToPath(new URL('../../operations/edi/read_scx.py', import.meta.url))
const AGENCY_PROGRAM = fileURLToPath(new URL('../../../docs/examples/edi/read_order_mail.py', import.meta.url))
const VENV = join(homedir(), '.cache', 'order-marketplace', 'lxml')
const PYTHON = join(VENV, 'bin', 'python')

/** The figures that another reader finds in a document, computed from its lines. */
export interface ReadFigures {
  status: string
  /** The order that a revision names. */
  supersedes: string | null
  estimate_id: string | null
  gross: string
  currency: string
  /** Units by unit_id and by start of the week. */
  units: Record<string, Record<string, number>>
  costs: Record<string, string>
  months: Record<string, string>
}

/** Installs lxml if needed; returns false if Python is missing or the package cannot be installed. */
export async function hasLxml(): Promise<boolean> {
  const imports = (python: string) => spawnSync(python, ['-c', 'import lxml.etree'], { stdio: 'ignore' }).status === 0
  if (imports(PYTHON)) return true
  const run = promisify(execFile)
  try {
    await run('python3', ['-m', 'venv', VENV], { timeout: 60_000 })
    await run(PYTHON, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', LXML], { timeout: 120_000 })
  } catch {
    return false
  }
  return imports(PYTHON)
}

/** The members that the program for agencies reads from a mail. */
export interface ReadMail extends ReadFigures {
  message_id: string
  in_reply_to: string | null
  references: string[]
  to: string
  subject: string
  document_id: string
  order_id: string
  has_csv: boolean
}

/** Reads the mails of a folder or, with a token, of the sandbox at a URL, with the program for agencies. */
export async function readMails(source: string, token?: string): Promise<ReadMail[]> {
  const env = { ...process.env, ...(token === undefined ? {} : { TOKEN: token }) }
  const { stdout } = await promisify(execFile)(PYTHON, [AGENCY_PROGRAM, source], { env, maxBuffer: 64 * 1024 * 1024 })
  return JSON.parse(stdout) as ReadMail[]
}

export async function readByLxml(documents: readonly Buffer[]): Promise<ReadFigures[]> {
  const reading = promisify(execFile)(PYTHON, [PROGRAM], { maxBuffer: 64 * 1024 * 1024 })
  reading.child.stdin?.end(JSON.stringify(documents.map((document) => document.toString('base64'))))
  return JSON.parse((await reading).stdout) as ReadFigures[]
}
