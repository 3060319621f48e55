import { readFile } from 'node:fs/promises'

interface Locked {
  version?: string
  license?: string
  dev?: boolean
}

/** `npm run licenses`: checks that every package for production, on any platform, has a license of the list; exits with 1 if not. */
async function main(): Promise<void> {
  const { packages } = JSON.parse(await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  const refused = shipped.flatMap(([path, { version, license }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const stated = license ?? UNSTATED.find(([of]) => name.startsWith(of))?.[1]
    return stated !== undefined && isAllowed(stated) ? [] : [`${name}@${version} has the license ${stated ?? 'none'}`]
  })
  for (const line of refused) process.stdout.write(`${line}, which is not on the list of ${LIST}.\n`)
  if (refused.length > 0) process.exitCode = 1
  else process.stdout.write(`The licenses of ${shipped.length} packages are on the list.\n`)
}

/** Permissive licenses: none requires more than a notice from those who distribute the service. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0', // only data: caniuse-lite
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
])
const LIST = 'test/support/checkLicenses.ts'

/** Licenses that a package states outside its package.json, or that its parent states for it. */
const UNSTATED: readonly [string, string][] = [
  ['unionfs', 'Unlicense'], // its LICENSE
  ['ssh2', 'MIT'], // its `licenses`, as for those that follow
  ['cpu-features', 'MIT'],
  ['buildcheck', 'MIT'],
  ['@swc/core-', 'Apache-2.0 AND MIT'], // as @swc/core for the platforms whose package.json states it
]

/** Checks an SPDX expression without nesting: all of `A AND B`, one of `A OR B`. */
function isAllowed(expression: string): boolean {
  const words = expression.replace(/[()]/g, '')
  return words.split(' OR ').some((choice) => choice.split(' AND ').every((license) => ALLOWED.has(license)))
}

await main()
