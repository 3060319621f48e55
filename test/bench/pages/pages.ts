import { readFile, writeFile } from 'node:fs/promises'
import { type Benchmarks, readBenchmarks } from '../keepResults.ts'
import { barsOf } from '../peers/bars.ts'
import { FIGURES } from './figures.ts'

/** Pages with tables of figures between marks; the rest of them is written by hand. */
const PAGES = ['README.md', 'docs/operate/peers.md', 'docs/operate/performance.md', 'docs/operate/scale.md']
const PICTURE = 'docs/pictures/peers.svg'

const MARKED = /(<!-- figures: ([\w ]+) -->\n)[\s\S]*?(<!-- end of figures -->)/g

/** The text with the tables that its marks ask for, made of these figures. Fails on a word for which there is no table. */
export function withFigures(text: string, benchmarks: Benchmarks): string {
  return text.replaceAll(MARKED, (_, begin: string, asked: string, end: string) => {
    const [name = '', ...args] = asked.split(' ')
    const make = FIGURES[name]
    if (make === undefined) throw new Error(`There is no table of figures named ${name}.`)
    return `${begin}\n${make(benchmarks, args)}\n${end}`
  })
}

/**
 * Brings the tables of all pages and the picture of the peers up to date with docs/benchmarks.json; returns the names of those that were not, and
 * with `check` writes none.
 */
export async function renewPages({ check = false } = {}): Promise<string[]> {
  const benchmarks = await readBenchmarks()
  const { peers } = benchmarks
  const made: { name: string; text: string; renewed: string }[] = []
  for (const name of PAGES) {
    const text = await readFile(fileOf(name), 'utf8')
    made.push({ name, text, renewed: withFigures(text, benchmarks) })
  }
  if (peers !== undefined) {
    const text = await readFile(fileOf(PICTURE), 'utf8').catch(() => '')
    made.push({ name: PICTURE, text, renewed: barsOf(peers.results, peers.measured_at) })
  }
  const stale = made.filter(({ text, renewed }) => renewed !== text)
  if (!check) for (const { name, renewed } of stale) await writeFile(fileOf(name), renewed)
  return stale.map(({ name }) => name)
}

function fileOf(name: string): URL {
  return new URL(`../../../${name}`, import.meta.url)
}
