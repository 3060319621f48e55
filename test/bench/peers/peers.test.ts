import { describe, expect, it } from '@jest/globals'
import { XMLValidator } from 'fast-xml-parser'
import { peersRun } from '../keepResults.ts'
import { NOT_MEASURED } from '../pages/forms.ts'
import { peersPicture, peersTable } from '../pages/peers.ts'
import { barsOf } from './bars.ts'
import { reasonOf } from './command.ts'
import { busyMicroseconds } from './others.ts'
import type { Figures, Result } from './peer.ts'
import { followProgress } from './progress.ts'
import { tableOf } from './table.ts'

const figures: Figures = {
  ordersPerSecond: 123.456,
  intakeP50Ms: 2.345,
  cpuMs: { api: 1.5, postgres: 2.25 },
  memory: { restMb: 300.4, parkedMb: 410.6, parked: 10_000 },
  others: 0.02,
}
const about = { work: 'carries orders', leavesOut: 'nothing', atOnce: 32 }
const ours: Result = { name: 'Ours', version: '0.1.0', ...about, figures }
const busy: Result = { name: 'A & <B>', version: '2.0.0', ...about, figures: { ...figures, ordersPerSecond: 61.728, others: 0.5 } }
const absent: Result = { name: 'Absent', version: '', ...about, notHere: 'no module by that name' }

describe('the table of peers', () => {
  const lines = tableOf([ours, busy, absent]).split('\n')

  it('sums the CPU of every process, and shows whose it is', () => {
    expect(lines[1]?.split(/ {2,}/)).toEqual(['Ours', '123', '2.35', '3.75', 'api 1.5, postgres 2.25', '300', '411 (10000)', '2 %'])
  })

  it('marks what was measured while others used the machine', () => {
    expect(lines[1]).not.toContain('LOADED')
    expect(lines[2]).toMatch(/50 % LOADED$/)
  })

  it('says why a peer is not there', () => {
    expect(lines).toContain('Absent: not here: no module by that name')
  })

  it('says of everyone who was measured what it does and leaves out', () => {
    expect(lines).toContain('Ours 0.1.0, 32 at once: carries orders.')
    expect(lines.filter((line) => line === '    Leaves out: nothing.')).toHaveLength(2)
  })
})

describe('the picture of peers', () => {
  const svg = barsOf([ours, busy, absent], '2026-01-02')
  const widths = [...svg.matchAll(/<rect class="(\w+)" x="200" y="\d+" width="([\d.]+)"/g)].map(([, kind, width]) => [kind, Number(width)])

  it('is well-formed, whatever the names', () => {
    expect(XMLValidator.validate(svg)).toBe(true)
    expect(svg).toContain('A &amp; &lt;B&gt;')
  })

  it('has a bar of its length for each that was measured, ours first and by itself', () => {
    expect(widths).toEqual([
      ['ours', 440],
      ['peer', 220],
      ['ours', 440],
      ['peer', 440],
    ])
  })

  it('says when the machine was loaded', () => {
    expect(svg).toContain('measured on a loaded machine')
    expect(barsOf([ours], '2026-01-02')).not.toContain('loaded')
  })

  it('gives our colour to nobody else where ours was not measured', () => {
    const svg = barsOf([{ ...absent, name: 'Ours' }, busy], '2026-01-02')
    expect(svg).toContain('<rect class="peer"')
    expect(svg).not.toContain('<rect class="ours"')
  })

  it('is well-formed where nothing was measured', () => {
    expect(XMLValidator.validate(barsOf([absent], '2026-01-02'))).toBe(true)
  })
})

describe('a whole run as it is kept', () => {
  const failed: Result = { ...absent, notHere: 'it failed: no file /home/one/app' }
  const peers = peersRun({ load_before: 0.1, notes: [], results: [ours, busy, failed] })
  const benchmarks = { machine: peers.machine, notes: [], results: [] }

  it('says why a peer is absent without the folders of this machine', () => {
    expect(peers.results.map(({ notHere }) => notHere)).toEqual([undefined, undefined, 'it failed'])
  })

  it('is a table and a picture on the pages', () => {
    const lines = peersTable({ ...benchmarks, peers }).split('\n')
    expect(lines[0]).toMatch(/^!\[.+\]\(\.\.\/pictures\/peers\.svg\)$/)
    expect(lines[4]).toBe('| Ours 0.1.0 | 123 (32) | 2.35 | 3.75: api 1.5, postgres 2.25 | 300 | 411 (10,000) | 2 % |')
    expect(lines[5]).toMatch(/50 %, loaded \|$/)
    expect(lines).toContain('- Absent is absent: it failed.')
    expect(peersPicture({ ...benchmarks, peers })).toMatch(/^\[!\[.+\]\(docs\/pictures\/peers\.svg\)\]\(docs\/operate\/peers\.md\)$/m)
  })

  it('is no picture before there was one', () => {
    expect(peersTable(benchmarks)).toContain(NOT_MEASURED)
    expect(peersPicture(benchmarks)).toBe('')
  })
})

describe('the share of others', () => {
  it('counts every tick of all cores that is neither idle nor waiting for a disk', () => {
    expect(busyMicroseconds('cpu  100 10 20 5000 600 3 4 5 0 0\ncpu0 50 5 10 2500 300 1 2 2 0 0\n')).toBe(142 * 10_000)
  })
})

describe('the reason of a failed command', () => {
  it('is its line about the error', () => {
    expect(reasonOf({ stderr: 'npm warn a\nnpm error code E404\nnpm warn b\n' })).toBe('npm error code E404')
    expect(reasonOf({ message: 'Command failed: x\nlast' })).toBe('last')
    expect(reasonOf({ code: 'ENOENT', message: 'spawn go ENOENT' })).toBe('the program is not installed')
  })
})

describe('the progress of orders', () => {
  it('reaches those who wait for it, before and after', async () => {
    const progress = followProgress()
    progress.heard('a', 'parked')
    await progress.reaches('a', 'parked')
    const later = progress.reaches('a', 'closed')
    progress.heard('b', 'closed')
    progress.heard('a', 'closed')
    await later
  })

  it('counts orders in a state', async () => {
    const progress = followProgress()
    const counted = progress.count('parked', 2)
    progress.heard('a', 'parked')
    progress.heard('b', 'parked')
    await counted
  })
})
