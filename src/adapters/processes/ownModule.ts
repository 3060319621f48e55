import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ROOT } from '../../config/root.ts'

/** A module of this service: its path without extension, relative to the URL of the module that names it. */
export interface OwnModule {
  readonly path: string
  readonly from: string
}

/** Returns the arguments for node to run a module as a process: the output of tsc or, in development, the source through tsx. */
export function processArguments(module: OwnModule): string[] {
  const compiled = compiledFile(module)
  if (compiled !== undefined) return [compiled]
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return ['--import', tsx, fileURLToPath(new URL(`${module.path}.ts`, module.from))]
}

/**
 * Returns the file that a thread runs for a module: the output of tsc or, in development, `<path>FromSource.mjs`, since a thread does not
 * inherit the TypeScript loader of its process.
 */
export function threadFile(module: OwnModule): URL {
  const compiled = compiledFile(module)
  return compiled === undefined ? new URL(`${module.path}FromSource.mjs`, module.from) : pathToFileURL(compiled)
}

/**
 * Returns the build output of a module. Source code has one only if `BUILD_DIR` names a build of it: tests start hundreds of processes,
 * and tsx would double the cost of each.
 */
export function compiledFile({ path, from }: OwnModule, extension = 'js'): string | undefined {
  if (from.endsWith('.js')) return fileURLToPath(new URL(`${path}.${extension}`, from))
  const build = process.env.BUILD_DIR
  if (build === undefined) return undefined
  const file = join(build, relative(ROOT, fileURLToPath(new URL(`${path}.${extension}`, from))))
  return existsSync(file) ? file : undefined
}
