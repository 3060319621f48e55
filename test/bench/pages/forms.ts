export const NOT_MEASURED = 'not measured yet'

/** Three digits at most, as a reader writes them. */
export function number(value: number): string {
  if (Number.isNaN(value)) return NOT_MEASURED
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 6 })
}

/** A number of things that may be very many: 1.2 million. */
export function count(value: number): string {
  return scaled(value, COUNTS)
}

/** A size: 5.7 kB. */
export function bytes(value = Number.NaN): string {
  return scaled(value, BYTES)
}

const COUNTS: readonly [number, string][] = [
  [1e9, ' billion'],
  [1e6, ' million'],
  [1, ''],
]
const BYTES: readonly [number, string][] = [
  [1e15, ' PB'],
  [1e12, ' TB'],
  [1e9, ' GB'],
  [1e6, ' MB'],
  [1e3, ' kB'],
  [1, ' bytes'],
]

function scaled(value: number, units: readonly [number, string][]): string {
  const [size, name] = units.find(([from]) => Math.abs(value) >= from) ?? [1, units.at(-1)?.[1] ?? '']
  return Number.isNaN(value) ? NOT_MEASURED : `${number(value / size)}${name}`
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
  return line(head) + line(head.map(() => '---')).replaceAll(' ', '') + rows.map(line).join('')
}
