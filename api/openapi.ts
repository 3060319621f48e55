import { readFileSync } from 'node:fs'

/** The OpenAPI document as it is kept in docs/openapi.json; `npm run docs` makes it. */
export function openapi(): string {
  kept ??= readFileSync(new URL(`${BUILT ? '../' : ''}../docs/openapi.json`, import.meta.url), 'utf8')
  return kept
}
let kept: string | undefined

/** The compiled tree is one folder deeper than the sources. */
const BUILT = import.meta.url.endsWith('.js')
