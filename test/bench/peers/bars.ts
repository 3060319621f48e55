import { rounded } from '../pairs.ts'
import type { Result } from './peer.ts'
import { LOADED, sum } from './table.ts'

const WIDTH = 860
const LABEL = 200
const BAR = 440
const ROW = 30
const TOP = 64

interface Panel {
  title: string
  unit: string
  value: (result: Required<Pick<Result, 'figures'>>) => number
}

const PANELS: readonly Panel[] = [
  { title: 'Whole orders per second (more is better)', unit: '/s', value: ({ figures }) => figures.ordersPerSecond },
  { title: 'CPU per order, every process (less is better)', unit: ' ms', value: ({ figures }) => sum(figures.cpuMs) },
]

/** Bars of what was measured, readable on light and dark. The first result is ours and stands out. */
export function barsOf(results: readonly Result[], measuredAt: string): string {
  const ours = results[0]?.name
  const measured = results.flatMap((result) => (result.figures === undefined ? [] : [{ ...result, figures: result.figures }]))
  const height = PANELS.length * (TOP + measured.length * ROW) + 40
  const panels = PANELS.map((panel, index) => panelOf(panel, measured, { ours, top: index * (TOP + measured.length * ROW) }))
  const loaded = measured.some(({ figures }) => figures.others > LOADED)
  const foot = `${measuredAt}; one machine, 2 lines an order; what each leaves out: docs/operate/peers.md${loaded ? '; measured on a loaded machine' : ''}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Bars of whole orders per second and of CPU per order, by peer">
<style>
  text { font: 14px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600 } .foot { font-size: 12px; fill: #59636e }
  .ours { fill: #0969da } .peer { fill: #afb8c1 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .foot { fill: #9198a1 } .ours { fill: #4493f8 } .peer { fill: #656c76 }
  }
</style>
${panels.join('\n')}
<text class="foot" x="0" y="${height - 12}">${escaped(foot)}</text>
</svg>
`
}

function panelOf(
  { title, unit, value }: Panel,
  results: readonly (Result & Required<Pick<Result, 'figures'>>)[],
  { ours, top }: { ours: string | undefined; top: number },
): string {
  const largest = Math.max(...results.map(value))
  const rows = results.map((result, index) => {
    const y = top + 46 + index * ROW
    const length = Math.max(2, (value(result) / largest) * BAR)
    return [
      `<text x="0" y="${y + 15}">${escaped(result.name)}</text>`,
      `<rect class="${result.name === ours ? 'ours' : 'peer'}" x="${LABEL}" y="${y}" width="${length.toFixed(1)}" height="20" rx="3"/>`,
      `<text x="${(LABEL + length + 8).toFixed(1)}" y="${y + 15}">${rounded(value(result))}${unit}</text>`,
    ].join('')
  })
  return [`<text class="title" x="0" y="${top + 28}">${escaped(title)}</text>`, ...rows].join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
