import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../../config/root.ts'
import { flightYear, moveDates } from './moveDates.ts'

const EXAMPLES = join(ROOT, 'docs', 'examples')

/** Returns an example body of docs/examples, moved to a future quarter. The bytes stay the same all year, so a second run is a replay. */
export function example(name: string): Promise<string> {
  return exampleFile(`${name}.json`)
}

/** Returns a file of docs/examples, moved to a future quarter. */
export async function exampleFile(name: string): Promise<string> {
  const text = await readFile(join(EXAMPLES, name), 'utf8')
  return moveDates(text, flightYear(new Date().toISOString().slice(0, 10)))
}
