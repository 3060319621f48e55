/** These take minutes: started late, one of them would run on alone. */
const LONGEST = ['test/console/specs.test.ts']

/** The order of the test files, which is the same on every machine: the longest, then by size, since large files tend to take long. */
export default class LongestFirst {
  sort(tests) {
    const rank = ({ path }) => (LONGEST.some((name) => path.endsWith(name)) ? 0 : 1)
    const size = ({ path, context }) => context.hasteFS.getSize(path) ?? 0
    return [...tests].sort((one, other) => rank(one) - rank(other) || size(other) - size(one))
  }

  /** Of no use without results of an earlier run, which are not kept. */
  cacheResults() {}

  allFailedTests(tests) {
    return tests
  }
}
