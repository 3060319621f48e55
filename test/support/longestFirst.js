/** The files that take minutes: if one started late, it would run on alone. */
const LONGEST = ['test/console/specs.test.ts']

/** Orders the test files, equally on every machine: the longest first, then by size, since large files tend to take long. */
export default class LongestFirst {
  sort(tests) {
    const rank = ({ path }) => (LONGEST.some((name) => path.endsWith(name)) ? 0 : 1)
    const size = ({ path, context }) => context.hasteFS.getSize(path) ?? 0
    return [...tests].sort((one, other) => rank(one) - rank(other) || size(other) - size(one))
  }

  /** Does nothing, since results of earlier runs are not kept. */
  cacheResults() {}

  allFailedTests(tests) {
    return tests
  }
}
