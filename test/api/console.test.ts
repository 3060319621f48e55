import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import express from 'express'
import { consolePages } from '../../api/pages/console.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/files/temporaryFolder.ts'
import { useApp } from '../support/useApp.ts'

const app = useApp()
let home: TemporaryFolder
let folder: string
let server: Server
let baseUrl: string

beforeEach(async () => {
  home = await temporaryFolder()
  folder = home.path
  await mkdir(join(folder, 'dist'))
  server = createServer(express().use('/console', consolePages(folder))).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/console`
})

afterEach(async () => {
  await new Promise((done) => server.close(done))
  await home.remove()
})

describe('GET /console: 200', () => {
  it('is the page of the current build for every path, never cached, with a new nonce each time', async () => {
    await build('one')
    const replies = await Promise.all(['', '/', '/orders/ord_1', '/queue?q=x'].map((path) => fetch(`${baseUrl}${path}`)))
    const nonces = await Promise.all(
      replies.map(async (reply) => {
        expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store'])
        const [, nonce] = /nonce="([^"]+)"/.exec(await reply.text()) ?? []
        expect(reply.headers.get('content-security-policy')).toContain(`style-src 'self' 'nonce-${nonce}'`)
        return nonce
      }),
    )
    expect(new Set(nonces).size).toBe(replies.length)
  })

  it('allows only scripts of this origin, and no frame around it', async () => {
    await build('one')
    const policy = (await fetch(baseUrl)).headers.get('content-security-policy')
    for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(policy?.split('; ')).toContain(part)
    }
  })

  it('lets hashed files be cached forever, compressed where that helps', async () => {
    await build('one')
    const reply = await fetch(`${baseUrl}/assets/main-one.js`, { headers: { 'Accept-Encoding': 'gzip' } })
    expect([reply.status, await reply.text()]).toEqual([200, 'one()'])
    expect(reply.headers.get('cache-control')).toContain('immutable')
    expect(reply.headers.get('content-encoding')).toBe('gzip')
    expect(reply.headers.get('content-type')).toContain('text/javascript')
  })

  it('shows a new build without a restart', async () => {
    await build('one')
    expect(await (await fetch(baseUrl)).text()).toContain('main-one.js')
    await build('two')
    expect(await (await fetch(baseUrl)).text()).toContain('main-two.js')
  })
})

describe('GET /console: 404', () => {
  it('is the answer for a file that the build does not have, by any path', async () => {
    await build('one')
    for (const path of ['/assets/none.js', '/assets/%2e%2e%2f.stamp', '/assets/..%2f..%2f..%2fpackage.json', '/assets/']) {
      expect((await fetch(`${baseUrl}${path}`)).status).toBe(404)
    }
  })

  it('is the answer to another method than GET', async () => {
    expect((await app.request.post('/console/').send({})).status).toBe(404)
  })
})

describe('GET /console: 503', () => {
  it('names the command where there is no build', async () => {
    const reply = await fetch(baseUrl)
    expect([reply.status, await reply.text()]).toEqual([503, expect.stringContaining('npm run console:build')])
  })

  it('says that a build is in progress, and reloads', async () => {
    await writeFile(join(folder, 'dist/.building'), String(process.pid))
    const text = await (await fetch(baseUrl)).text()
    expect(text).toContain('being built')
    expect(text).toContain('http-equiv="refresh"')
  })

  it('says why the last build failed, as text', async () => {
    await writeFile(join(folder, 'dist/.failed'), 'no <b>room</b>')
    expect(await (await fetch(baseUrl)).text()).toContain('no &lt;b>room&lt;/b>')
  })
})

async function build(name: string): Promise<void> {
  const assets = join(folder, 'dist', name, 'assets')
  await mkdir(assets, { recursive: true })
  await writeFile(join(assets, `main-${name}.js`), `${name}()`)
  await writeFile(join(folder, 'dist', name, 'index.html'), `<script src="/console/assets/main-${name}.js" nonce="__NONCE__"></script>`)
  await writeFile(join(folder, 'dist/.stamp'), name)
}
