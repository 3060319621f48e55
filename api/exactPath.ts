import { ROUTES } from './routes.ts'

/** The words of each path; those with fewer parameters come first. */
const PATHS = [...new Set(ROUTES.map(({ endpoint }) => `/v1${endpoint.path}`))]
  .sort((one, other) => one.split(':').length - other.split(':').length)
  .map((path) => path.split('/'))

/** Returns the path of an endpoint from which this one differs only in the case of its words or by slashes at its end, if there is one. */
export function exactPath(path: string): string | undefined {
  const given = path.split('/')
  while (given.at(-1) === '') given.pop()
  const known = PATHS.find((words) => words.length === given.length && words.every((word, at) => isLike(word, given[at])))
  return known?.map((word, at) => (word.startsWith(':') ? given[at] : word)).join('/')
}

function isLike(word: string, given = ''): boolean {
  return word.startsWith(':') ? given !== '' : word === given.toLowerCase()
}
