import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { type Block, blocksOf } from '../support/files/operatePages.ts'
import { succeeds } from '../support/succeeds.ts'
import type { UsedProduct } from './useProduct.ts'

const ROOT = new URL('../../', import.meta.url).pathname
/** For all commands of a block. */
const LONGEST_MS = 180_000
const IMAGE = join(ROOT, '.built/src/cli/image.js')

/** For which state of the marketplace the commands of a section are, else those of its page. */
const STATES: Record<string, 'running' | 'stopped' | 'elsewhere'> = {
  'observing.md': 'running',
  'secrets.md': 'running',
  'tokens.md#List, revoke, replace': 'running',
  'symptoms/secrets-key-lost.md#Do': 'stopped',
  'backup.md': 'stopped',
  'upgrade.md': 'stopped',
  'upgrade.md#Images and Kubernetes': 'elsewhere', // test/docker tests image and manifests
  'running.md': 'elsewhere', // its commands are those of other tests: start, image, manifests, roles
  'tokens.md': 'elsewhere', // test/cli/token.test.ts
  'sftp.md': 'elsewhere', // test/sftp signs in with keys
  'sign-on.md': 'elsewhere', // needs an issuer: test/api/oidc.test.ts
  'mail.md': 'elsewhere', // sets variables alone
  'temporal.md': 'elsewhere', // needs Temporal Cloud
  'message-queues.md': 'elsewhere', // needs a broker: test/worker/publishQueues.test.ts runs as the users that these make
  'peers.md': 'elsewhere', // a benchmark
  'supply-chain.md': 'elsewhere', // test/contract/sbom.test.ts
}

const stateOf = ({ page, section }: Block) => {
  const name = page.slice('docs/operate/'.length)
  return STATES[`${name}#${section}`] ?? STATES[name] ?? (name.startsWith('symptoms/') ? 'running' : undefined)
}

/**
 * The tests of the commands of docs/operate, which stop a running product and start it again. Commands in a container run the program of the
 * image here; what else they ask of compose and kubectl is looked at by test/docs/runbook.test.ts.
 */
export function runbook(product: UsedProduct): void {
  describe('docs/operate', () => {
    it('has commands on no page but those that are run here', async () => {
      const unknown = (await blocksOf('sh')).filter((block) => stateOf(block) === undefined)
      expect(unknown.map(({ page, section }) => `${page}#${section}`)).toEqual([])
    })

    it('has commands that work while the marketplace runs', async () => {
      for (const block of await blocksOf('sh')) if (stateOf(block) === 'running') await run(block.text)
    }, 600_000)

    it('has commands that work while it is stopped, and a start that continues from the restored copy', async () => {
      const { sellers } = product.credentials
      await product.stop()
      for (const block of await blocksOf('sh')) {
        if (stateOf(block) !== 'stopped') continue
        const [first, ...rest] = block.text.includes('tar -x') ? block.text.split(/(?=^tar -x)/m) : [block.text]
        await run(first ?? '')
        if (rest.length > 0) await rm(product.dataDir, { recursive: true })
        await run(rest.join(''))
      }
      await product.startAgain()
      expect(product.credentials.sellers).toEqual(sellers)
    }, 400_000)

    const inCheckout = new Set<string>()
    let tenants = 0
    const nextTenant = () => {
      tenants += 1
      return `--tenant runbook-${tenants}`
    }

    /** As a user types it beside `.data`, but for the words in angle brackets. */
    async function run(script: string): Promise<void> {
      if (script.includes('psql ') && !succeeds('psql', '--version')) return // a client of PostgreSQL is not part of the service
      const { NODE_OPTIONS: _, ...env } = process.env
      const text = oncePerProgram(script, inCheckout)
        .replaceAll('npm run', `npm --prefix ${ROOT} run`)
        .replaceAll('npx order-marketplace', `node ${ROOT}/bin/order-marketplace.js`)
        .replaceAll('localhost:8080', `127.0.0.1:${product.port}`)
        .replaceAll('<credential id or token>', product.credentials.buyers['harbor-and-vale']?.token ?? '')
        .replaceAll('--tenant summit', nextTenant) // a tenant has two tokens at most
      const options = {
        cwd: dirname(product.dataDir),
        timeout: LONGEST_MS,
        env: { ...env, IMAGE, DATA_DIR: product.dataDir, LOG_LEVEL: 'warn' },
      }
      await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', `${CONTAINERS}${text}`], options)
    }
  })
}

/** Runs each program of a block once: in a checkout for the first block that has it, and then as the container does, which takes less. */
function oncePerProgram(script: string, inCheckout: Set<string>): string {
  const programs = new Set<string>()
  const lines = script.split('\n')
  const ofImage = lines.flatMap((line) => /^(?:docker|kubectl) .*\/image\.js (.*)$/.exec(line)?.[1] ?? [])
  return lines
    .filter((line) => {
      const [, command = '', args = ''] = /^(?:npm run -s|npx order-marketplace operator) (\S+)(?: (?:-- )?(.*))?$/.exec(line) ?? []
      const isKnown = inCheckout.has(command) && ofImage.includes(`${command} ${args}`.trim())
      if (command !== '') inCheckout.add(command)
      if (isKnown) return false
      const [, program] = /^(?:docker|kubectl) .*\/image\.js (.*)$/.exec(line) ?? []
      if (program === undefined) return true
      const isNew = !programs.has(program)
      programs.add(program)
      return isNew
    })
    .join('\n')
}

/**
 * `docker` and `kubectl` that run what they would run in a container of the image, and nothing of their own. A container has an address of
 * Temporal, without which there are no releases.
 */
const CONTAINERS = `
contained() {
  while [ $# -gt 0 ] && [ "$1" != /app/dist/src/cli/image.js ]; do shift; done
  shift || return 0
  case "$1" in
    release) TEMPORAL_ADDRESS="127.0.0.1:$(grep -oE '"port":[0-9]+' "$DATA_DIR/temporal.json" | grep -oE '[0-9]+')" node "$IMAGE" "$@" ;;
    *) node "$IMAGE" "$@" ;;
  esac
}
docker() { contained "$@"; }
kubectl() { contained "$@"; }
`
