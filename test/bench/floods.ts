import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench, Run } from './orderIntake.ts'
import type { Row } from './pairs.ts'

/** The tests of test/attack in which one tenant floods and another goes on. */
const FLOODS = [
  'endpointFloods',
  'publishFlood',
  'settlementFloods',
  'dropFloods',
  'sftpFloods',
  'connections',
  'stalledBodies',
  'unreadReplies',
  'largeReplies',
]
const SECONDS = 10
const MOST = 5

/** A line of the table that the tests write. */
interface Attack {
  attack: string
  figures: Readonly<Record<string, string | number>>
}

/**
 * P14: what another tenant's calls take while one tenant floods each endpoint in turn, compared with the same calls before. These are the attacks with
 * shorter floods, and of those on settlement and lists with the rate limits as shipped.
 */
export const floods: Bench = async (_engines, run) => {
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-floods-'))
  try {
    const attacks: Attack[] = []
    for (const name of FLOODS) attacks.push(...(await attacksOf(name, join(folder, `${name}.jsonl`), run)))
    return attacks.flatMap(({ attack, figures }) => rowOf(attack, figures))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A test that finds an attack too strong fails; its figures count all the same. */
async function attacksOf(name: string, file: string, { onProgress }: Run): Promise<Attack[]> {
  const pattern = `test/attack/${name}.test.ts`
  // A process whose test failed may wait for a connection that the test left open: it is made to end.
  const options = ['-c', 'jest.config.js', '--runInBand', '--silent', '--forceExit', '--testTimeout', '600000']
  const jest = ['node_modules/jest/bin/jest.js', ...options, pattern]
  const env = {
    ...process.env,
    ATTACK: 'long',
    ATTACK_SECONDS: String(SECONDS),
    ATTACK_LIMITS: 'as shipped',
    ATTACK_TABLE: file,
    NODE_OPTIONS: '--experimental-vm-modules',
  }
  const child = spawn(process.execPath, jest, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const code = await new Promise<number | null>((done) => child.once('close', done))
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')
  onProgress(
    `P14: ${name}, ${lines.length} attacks${code === 0 && lines.length > 0 ? '' : `, some of them too strong or not measured:\n${said}`}`,
  )
  if (lines.length === 0) process.exitCode = 1 // what the other tests have measured counts all the same
  return lines.map((line) => JSON.parse(line) as Attack)
}

function rowOf(attack: string, { quiet_p99_ms, p99_ms, ...others }: Attack['figures']): Row[] {
  if (typeof quiet_p99_ms !== 'number' || typeof p99_ms !== 'number') return []
  const ratio = p99_ms / quiet_p99_ms
  const numbers = Object.entries(others).filter((entry): entry is [string, number] => typeof entry[1] === 'number')
  return [
    {
      id: 'P14',
      work: `another tenant's calls during: ${attack}`,
      against: 'the same calls before',
      unit: 'ms, p99',
      ...{ ours: p99_ms, limit: quiet_p99_ms, ratio, spread: null, pairs: 1 },
      goal: `ratio <= ${MOST}`,
      met: ratio <= MOST,
      counters: { ours: Object.fromEntries(numbers), limit: {} },
    },
  ]
}
