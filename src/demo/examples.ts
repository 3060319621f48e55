import { readFile } from 'node:fs/promises'

/** Where the example bodies lie. */
export const EXAMPLES = new URL('../../docs/examples/', import.meta.url)

/** The text of an example body as it lies in docs/examples: sent byte for byte, so that a second run is a replay. */
export function example(name: string): Promise<string> {
  return readFile(new URL(`${name}.json`, EXAMPLES), 'utf8')
}
