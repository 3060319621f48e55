import { readFileSync } from 'node:fs'

/** Returns the OpenAPI document in docs/openapi.json, which `npm run docs` makes. */
export function openapi(): string {
  kept ??= readFileSync(new URL(`${BUILT ? '../' : ''}../../docs/openapi.json`, import.meta.url), 'utf8')
  return kept
}
let kept: string | undefined

/** Whether this code is compiled, since the compiled tree is one folder deeper than the sources. */
const BUILT = import.meta.url.endsWith('.js')
