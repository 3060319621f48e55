import { servedRoutes } from '../routes.ts'
import type { Deps } from './handler.ts'

/** The words of each path by mode; those with fewer parameters come first. */
const PATHS = { sandbox: wordsOf('sandbox'), production: wordsOf('production') }

function wordsOf(mode: Deps['mode']): string[][] {
  return [...new Set(servedRoutes({ mode }).map(({ endpoint }) => `/v1${endpoint.path}`))]
    .sort((one, other) => one.split(':').length - other.split(':').length)
    .map((path) => path.split('/'))
}

/** Returns the path of an endpoint from which this one differs only in the case of its words or by slashes at its end, if there is one. */
export function exactPath(path: string, { mode }: Pick<Deps, 'mode'>): string | undefined {
  const given = path.split('/')
  while (given.at(-1) === '') given.pop()
  const known = PATHS[mode].find((words) => words.length === given.length && words.every((word, at) => isLike(word, given[at])))
  return known?.map((word, at) => (word.startsWith(':') ? given[at] : word)).join('/')
}

function isLike(word: string, given = ''): boolean {
  return word.startsWith(':') ? given !== '' : word === given.toLowerCase()
}
