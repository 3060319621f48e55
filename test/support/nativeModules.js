import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const OWN = readFileSync(new URL(import.meta.url), 'utf8')
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const require = createRequire(import.meta.url)

/** What Node loads for a module: of the service its build, which has source maps for stack traces. */
export function nativeUrl(path) {
  return pathToFileURL(path.endsWith('.ts') ? join(process.env.BUILD_DIR, relative(ROOT, path).replace(/ts$/, 'js')) : path)
}

/**
 * The transform of everything outside test/: Node itself loads the modules of the service and of packages, once per worker of jest, and a
 * test file gets what they export. Loaded by jest, they cost every file another second, and ran cold in each.
 *
 * Jest only imports the service and what is an ECMAScript module by its name; it also requires packages, for itself too, which run as they are.
 */
export default {
  createTransformer: ({ of }) => (of === 'packages' ? { getCacheKey, process: ofPackage } : { getCacheKey, processAsync: ofModule }),
}

const getCacheKey = (source, path, { supportsStaticESM }) =>
  createHash('sha256').update(`${OWN} ${path} ${supportsStaticESM} ${source}`).digest('hex')

async function ofModule(_source, path) {
  return { code: imported(path, await import(nativeUrl(path))) }
}

function ofPackage(_source, path, { supportsStaticESM }) {
  if (supportsStaticESM) return { code: imported(path, require(path)) }
  return {
    code: `if (globalThis.requireNative) module.exports = requireNative(__filename)
else module._compile(require('node:fs').readFileSync(__filename, 'utf8'), __filename)`,
  }
}

function imported(path, exports) {
  // A name such as `catch` cannot be that of a constant.
  const names = Object.keys(exports).map(
    (name, at) => `const native${at} = native[${JSON.stringify(name)}]\nexport { native${at} as ${name} }`,
  )
  return [`const native = await importNative(${JSON.stringify(path)})`, ...names].join('\n')
}
