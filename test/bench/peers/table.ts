import { rounded } from '../pairs.ts'
import type { Result } from './peer.ts'

/** Others' share of the cores above which a figure counts as measured on a loaded machine. */
export const LOADED = 0.1

const HEADINGS = ['', 'whole orders/s', 'intake p50, ms', 'CPU ms/order', 'of which', 'MB at rest', 'MB parked', 'others']

/** One table for a terminal, then what each does and leaves out. */
export function tableOf(results: readonly Result[]): string {
  const measured = results.filter(({ figures }) => figures !== undefined)
  const lines = [HEADINGS, ...measured.map(cells)]
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const table = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const absent = results.filter(({ notHere }) => notHere !== undefined).map(({ name, notHere }) => `${name}: not here: ${notHere}`)
  return [...table, ...absent, '', ...measured.flatMap(about)].join('\n')
}

function cells({ name, figures }: Result): string[] {
  if (figures === undefined) return [name]
  const { ordersPerSecond, intakeP50Ms, cpuMs, memory, others } = figures
  const parts = Object.entries(cpuMs).map(([part, ms]) => `${part} ${rounded(ms)}`)
  return [
    name,
    String(rounded(ordersPerSecond)),
    String(rounded(intakeP50Ms)),
    String(rounded(sum(cpuMs))),
    parts.join(', '),
    String(Math.round(memory.restMb)),
    `${Math.round(memory.parkedMb)} (${memory.parked})`,
    `${Math.round(others * 100)} %${others > LOADED ? ' LOADED' : ''}`,
  ]
}

function about({ name, version, work, leavesOut, atOnce }: Result): string[] {
  return [`${name} ${version}, ${atOnce} at once: ${work}.`, `    Leaves out: ${leavesOut}.`]
}

export function sum(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((total, part) => total + part, 0)
}
