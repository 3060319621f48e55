import { readFile } from 'node:fs/promises'
import { flightYear, moveDates } from './moveDates.ts'

const EXAMPLES = new URL('../../docs/examples/', import.meta.url)

/** Returns an example body of docs/examples, moved to a quarter to come. The bytes are the same all year, so that a second run is a replay. */
export function example(name: string): Promise<string> {
  return exampleFile(`${name}.json`)
}

/** Returns a file of docs/examples, moved to a quarter to come. */
export async function exampleFile(name: string): Promise<string> {
  const text = await readFile(new URL(name, EXAMPLES), 'utf8')
  return moveDates(text, flightYear(new Date().toISOString().slice(0, 10)))
}
