import { readFile, writeFile } from 'node:fs/promises'
import { machineHere } from './machine.ts'
import { type Row, rounded } from './pairs.ts'
import type { Result as PeerResult } from './peers/peer.ts'

const FILE = new URL('../../docs/benchmarks.json', import.meta.url)

/** A row as it is kept. */
export interface Result extends Row {
  /** The day. */
  measured_at: string
  /** Above a few tenths, others used the machine too: believe the counters first, then the ratios, and the figures last. */
  load_before: number
}

export interface Benchmarks {
  machine: ReturnType<typeof machineHere>
  notes: readonly string[]
  results: Result[]
  /** Of `npm run bench:peers`, which alone writes it. */
  peers?: PeersRun
}

/** A whole run of the peers. */
export interface PeersRun extends Pick<Result, 'measured_at' | 'load_before'>, Pick<Benchmarks, 'machine' | 'notes'> {
  results: PeerResult[]
}

export async function readBenchmarks(): Promise<Benchmarks> {
  return JSON.parse(await readFile(FILE, 'utf8')) as Benchmarks
}

/** Writes rows into docs/benchmarks.json, in place of those with the same ids: a part can be measured again by itself. */
export async function keepResults(
  rows: readonly Row[],
  { notes, loadBefore }: { notes: readonly string[]; loadBefore: number },
): Promise<void> {
  const ids = new Set(rows.map(({ id }) => id))
  const before = await readBenchmarks()
  const measured = { measured_at: today(), load_before: loadBefore }
  const results = [
    ...before.results.filter(({ id }) => !ids.has(id)),
    ...rows.map((row) => JSON.parse(JSON.stringify({ ...row, ...measured }, shortened)) as Result),
  ]
  results.sort(byId)
  await writeFile(FILE, `${JSON.stringify({ machine: machineHere(), notes, results, peers: before.peers }, null, 2)}\n`)
}

/** Writes a whole run of the peers beside the other results, which stay as they are. */
export async function keepPeers(run: Omit<PeersRun, 'measured_at' | 'machine'>): Promise<void> {
  const before = await readBenchmarks()
  const peers = JSON.parse(JSON.stringify(peersRun(run), shortened)) as PeersRun
  await writeFile(FILE, `${JSON.stringify({ ...before, peers }, null, 2)}\n`)
}

/** As it is kept: what follows the colon in the reason of an absent peer names folders and registries of one machine. */
export function peersRun({ results, ...run }: Omit<PeersRun, 'measured_at' | 'machine'>): PeersRun {
  const kept = results.map(({ notHere, ...result }) =>
    notHere === undefined ? result : { ...result, notHere: notHere.split(':')[0] ?? '' },
  )
  return { measured_at: today(), machine: machineHere(), ...run, results: kept }
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}

/** P2 before P10. */
export function byId({ id: a }: Pick<Row, 'id'>, { id: b }: Pick<Row, 'id'>): number {
  return a.localeCompare(b, 'en', { numeric: true })
}

function shortened(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? rounded(value) : value
}
