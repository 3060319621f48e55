import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { freePort } from '../../src/embedded/ports.ts'

it('npm run demo:drop walks a seller at level 0 from files over SFTP to a placed order', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-drop-'))
  try {
    const { NODE_OPTIONS: _, ...env } = process.env
    const child = spawn('npm', ['run', '-s', 'demo:drop', '--', '--exit'], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...env, DATA_DIR: dataDir, PORT: String(await freePort()) },
    })
    const [story, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    expect([code, said]).toEqual([0, expect.any(String)])
    expect(story).toMatch(/--sftp/)
    expect(story).toMatch(/: partial, 14 rows written, 1 rejected/)
    expect(story).toMatch(/rate_cards\.xlsx +3 +UNKNOWN_PRODUCT_ID +product_id +lks-evening-nws/)
    expect(story).toMatch(/: success, 15 rows written, 0 rejected/)
    expect(story).toMatch(/lakeshore-28 +Lakeshore 28 +0 /)
    expect(story).toMatch(/seller_review -> placed .* gate console/)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}, 180_000)
