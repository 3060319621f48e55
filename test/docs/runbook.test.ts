import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { parse, parseAllDocuments } from 'yaml'
import { cloneDatabase } from '../support/engines/database.ts'
import { blocksOf, operatePages } from '../support/files/operatePages.ts'
import { ROOT } from '../support/files/samples.ts'

const pages = await operatePages()
const symptoms = pages.filter(({ page }) => page.startsWith('docs/operate/symptoms/'))
const index = pages.find(({ page }) => page === 'docs/operate/README.md')?.text ?? ''
const commands = await blocksOf('sh')

/** Roles are the server's, whatever the database: these are there by now, and the API's may be, through another test. */
const OWN_ROLES = /^create role marketplace_(app|platform)\b/

describe('the pages of symptoms', () => {
  it('say in this order what to see, to decide, to do and to verify, in less than 6 kB', () => {
    for (const { page, text } of symptoms) {
      const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
      expect({ page, headings, isShort: Buffer.byteLength(text) < 6_000 }).toEqual({
        page,
        headings: ['See', 'Decide', 'Do', 'Verify'],
        isShort: true,
      })
    }
  })

  it('have their commands for a checkout, for compose and for kubectl', () => {
    for (const { page } of symptoms) {
      const text = commands.filter((block) => block.page === page).map((block) => block.text)
      const has = [/^(npm run|npx|curl|df|# checkout)/m, /^docker compose /m, /^(kubectl -n|# kubectl)/m].map((form) =>
        form.test(text.join('')),
      )
      expect({ page, has }).toEqual({ page, has: [true, true, true] })
    }
  })

  it('are each in the table of symptoms, which has those that are asked for the most', () => {
    const table = index.slice(index.indexOf('## Symptoms'), index.indexOf('## Commands'))
    const linked = [...table.matchAll(/\]\((symptoms\/[\w-]+\.md)\)/g)].map(([, page]) => `docs/operate/${page}`)
    expect(linked.sort()).toEqual(symptoms.map(({ page }) => page))
    const asked = [
      'An order is stuck at validating',
      'A webhook customer hears nothing',
      'SFTP sign-in fails',
      'The disk of PostgreSQL fills',
      'A worker is out of memory',
      'The Temporal namespace is lost',
    ]
    expect(asked.filter((name) => !table.includes(`| [${name}](`))).toEqual([])
  })
})

describe('the commands of docs/operate', () => {
  const { services } = parse(readFileSync(join(ROOT, 'docker/compose.yaml'), 'utf8')) as { services: Record<string, unknown> }
  const manifests = readdirSync(join(ROOT, 'docker/kubernetes'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parseAllDocuments(readFileSync(join(ROOT, 'docker/kubernetes', name), 'utf8')).map((document) => document.toJS()))
  const named = (kind: string) => manifests.filter((it) => it?.kind === kind).map((it) => it.metadata.name as string)
  const linesOf = (begin: string) =>
    commands.flatMap(({ page, text }) => text.split('\n').flatMap((line) => (line.startsWith(begin) ? [{ page, line }] : [])))

  it('name services that docker/compose.yaml has', () => {
    const verbs =
      /^docker compose -f docker\/compose\.yaml (?:--profile watch )?(?:up -d --build$|(?:exec|run --rm|ps|restart|logs --since \w+|up -d --no-recreate --scale \w+=\d|up -d) (\S+))/
    const lines = linesOf('docker compose ')
    expect(lines.length).toBeGreaterThan(40)
    expect(lines.filter(({ line }) => !verbs.test(line))).toEqual([])
    const strange = lines.filter(({ line }) => !((verbs.exec(line)?.[1] ?? 'api') in services))
    expect(strange).toEqual([])
  })

  it('name Deployments and labels that docker/kubernetes has', () => {
    const lines = linesOf('kubectl -n marketplace ')
    expect(lines.length).toBeGreaterThan(40)
    const deployments = [...named('Deployment'), 'worker-1-0-0', 'worker-1-1-0'] // of releases, which the overlay names
    const wrong = lines.filter(
      ({ line }) =>
        [...line.matchAll(/deploy\/([\w-]+)/g)].some(([, name = '']) => !deployments.includes(name)) ||
        [...line.matchAll(/-l app\.kubernetes\.io\/name=([\w-]+)/g)].some(([, name = '']) => ![...deployments, 'migrate'].includes(name)),
    )
    expect(wrong).toEqual([])
  })
})

describe('the statements of docs/operate', () => {
  it('are such as PostgreSQL takes', async () => {
    const database = await cloneDatabase()
    const client = new pg.Client(database.url)
    await client.connect()
    try {
      const inLines = pages.flatMap(({ text }) =>
        [...text.matchAll(/`((?:select|insert|update|delete) [^`]+)`/g)].map(([, sql = '']) => [sql]),
      )
      const scripts = [...(await blocksOf('sql')).map(({ text }) => text.split(/;\s*(?:--.*)?$/m)), ...inLines].map((script) =>
        script.map((one) => one.trim()).filter((one) => one !== '' && !OWN_ROLES.test(one)),
      )
      for (const script of scripts) {
        await client.query('begin')
        for (const text of script)
          await client.query(
            text.replaceAll('<user>', 'postgres').replaceAll('marketplace_api', 'runbook_api').replaceAll('<until>', '1000000000'),
          )
        await client.query('rollback')
      }
      expect(scripts.flat().length).toBeGreaterThan(20)
    } finally {
      await client.end()
      await database.drop()
    }
  }, 30_000)
})
