import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { cloneDatabase } from '../support/engines/database.ts'
import { succeeds } from '../support/succeeds.ts'
import type { UsedProduct } from './useProduct.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const RUNBOOK = join(ROOT, 'docs/operate/runbook.md')

/** In which state of the marketplace the commands of a section are for. */
const SECTIONS: Record<string, 'running' | 'stopped' | 'elsewhere'> = {
  'Health and logs': 'running',
  'Looking into the engines': 'running',
  Tokens: 'running',
  SFTP: 'running',
  'A new key for the secrets': 'running',
  'The key of the secrets': 'stopped',
  'Backup and restore': 'stopped',
  Upgrade: 'stopped',
  'Message queues': 'elsewhere', // needs a broker: test/worker/publishQueues.test.ts runs as the users that these make
}

/** Roles are the server's, whatever the database: these are there by now, and the API's may be, through another test. */
const OWN_ROLES = /^create role marketplace_(app|platform)\b/

/** The tests of the commands of the runbook, which stop a running product and start it again. */
export function runbook(product: UsedProduct): void {
  describe('docs/operate/runbook.md', () => {
    it('has commands in no section but those that are run here', async () => {
      expect((await blocks('sh')).map(({ section }) => section).filter((section) => SECTIONS[section] === undefined)).toEqual([])
    })

    it('has statements that PostgreSQL takes', async () => {
      const database = await cloneDatabase()
      const client = new pg.Client(database.url)
      await client.connect()
      try {
        const inLines = (await readFile(RUNBOOK, 'utf8')).matchAll(/`((?:select|insert|update|delete) [^`]+)`/g)
        const scripts = [
          ...(await blocks('sql')).map(({ text }) => text.split(/;\s*$/m)),
          ...[...inLines].map(([, text = '']) => [text]),
        ].map((script) => script.map((one) => one.trim()).filter((one) => one !== '' && !OWN_ROLES.test(one)))
        for (const script of scripts) {
          await client.query('begin')
          for (const text of script)
            await client.query(
              text.replaceAll('<user>', 'postgres').replaceAll('marketplace_api', 'runbook_api').replaceAll('<until>', '1000000000'),
            )
          await client.query('rollback')
        }
        expect(scripts.flat().length).toBeGreaterThan(8)
      } finally {
        await client.end()
        await database.drop()
      }
    }, 30_000)

    it('has commands that work while the marketplace runs', async () => {
      for (const { section, text } of await blocks('sh')) if (SECTIONS[section] === 'running') await run(text)
    }, 120_000)

    it('has commands that work while it is stopped, and a start that continues from the restored copy', async () => {
      const { sellers } = product.credentials
      await product.stop()
      for (const { section, text } of await blocks('sh')) {
        if (SECTIONS[section] !== 'stopped') continue
        const [first, ...rest] = text.includes('tar -x') ? text.split(/(?=^tar -x)/m) : [text]
        await run(first ?? '')
        if (rest.length > 0) await rm(product.dataDir, { recursive: true })
        await run(rest.join(''))
      }
      await product.startAgain()
      expect(product.credentials.sellers).toEqual(sellers)
    }, 200_000)

    /** As a user types it beside `.data`, but for the words in angle brackets. */
    async function run(script: string): Promise<void> {
      if (script.includes('psql ') && !succeeds('psql', '--version')) return // a client of PostgreSQL is not part of the service
      const { NODE_OPTIONS: _, ...env } = process.env
      const text = script
        .replaceAll('npm run', `npm --prefix ${ROOT} run`)
        .replaceAll('localhost:8080', `127.0.0.1:${product.port}`)
        .replaceAll('<credential id or token>', product.credentials.buyers['harbor-and-vale']?.token ?? '')
      const options = { cwd: dirname(product.dataDir), env: { ...env, DATA_DIR: product.dataDir, LOG_LEVEL: 'warn' } }
      await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', text], options)
    }
  })
}

async function blocks(language: string): Promise<{ section: string; text: string }[]> {
  const sections = (await readFile(RUNBOOK, 'utf8')).split(/^## /m).slice(1)
  return sections.flatMap((section) =>
    [...section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => ({
      section: section.slice(0, section.indexOf('\n')),
      text,
    })),
  )
}
