import type { Benchmarks } from '../keepResults.ts'
import { LOADED, sum } from '../peers/table.ts'
import { NOT_MEASURED, number, table } from './forms.ts'

const BARS = 'Bars of whole orders per second and of CPU per order, the service beside its peers'

/** Of the README: leads to the page that says how it was measured. Nothing before the first whole run. */
export function peersPicture({ peers }: Benchmarks): string {
  return peers === undefined ? '' : `[![${BARS}](docs/pictures/peers.svg)](docs/operate/peers.md)\n`
}

/** Of docs/operate/peers.md: the picture, and every figure of the last whole run. */
export function peersTable({ peers }: Benchmarks): string {
  if (peers === undefined) return `The peers are ${NOT_MEASURED}.\n`
  const { machine, measured_at, load_before, results } = peers
  const rows = results.flatMap(({ name, version, atOnce, figures }) => {
    if (figures === undefined) return []
    const { ordersPerSecond, intakeP50Ms, cpuMs, memory, others } = figures
    const parts = Object.entries(cpuMs).map(([part, ms]) => `${part} ${number(ms)}`)
    return [
      [
        `${name} ${version}`,
        `${number(ordersPerSecond)} (${atOnce})`,
        number(intakeP50Ms),
        `${number(sum(cpuMs))}: ${parts.join(', ')}`,
        number(Math.round(memory.restMb)),
        `${Math.round(memory.parkedMb)} (${memory.parked.toLocaleString('en-US')})`,
        `${Math.round(others * 100)} %${others > LOADED ? ', loaded' : ''}`,
      ],
    ]
  })
  const heads = [
    '',
    'Whole orders/s (at once)',
    'Intake p50, ms',
    'CPU per order, ms',
    'Idle memory, MB',
    'With orders parked, MB (how many)',
    'Others',
  ]
  const absent = results.flatMap(({ name, notHere }) => (notHere === undefined ? [] : [`- ${name} is absent: ${notHere}.\n`]))
  const where = `Measured on ${measured_at}: ${machine.cores} cores (${machine.cpu}), ${machine.memory_gb} GB, Node.js ${machine.node.replace(/^v/, '')}; load before ${load_before}.\n`
  return [`![${BARS}](../pictures/peers.svg)\n`, table(heads, rows), ...(absent.length > 0 ? [absent.join('')] : []), where].join('\n')
}
