import { readFile, writeFile } from 'node:fs/promises'
import { type Benchmarks, readBenchmarks } from '../keepResults.ts'
import { FIGURES } from './figures.ts'

/** Pages of docs/ with tables of figures between marks; the rest of them is written by hand. */
const PAGES = ['performance.md', 'scale.md']

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

/** Brings the tables of all pages up to date with docs/benchmarks.json; returns the names of those that were not, and with `check` writes none. */
export async function renewPages({ check = false } = {}): Promise<string[]> {
  const benchmarks = await readBenchmarks()
  const stale: string[] = []
  for (const name of PAGES) {
    const file = new URL(`../../../docs/${name}`, import.meta.url)
    const text = await readFile(file, 'utf8')
    const renewed = withFigures(text, benchmarks)
    if (renewed === text) continue
    stale.push(name)
    if (!check) await writeFile(file, renewed)
  }
  return stale
}
