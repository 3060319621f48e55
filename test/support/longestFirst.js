import { readTimings, testFile } from './timings.js'

/** Where the files are that take longest, in their order, for a checkout that has not run them: if one started late, it would run on alone. */
const LONG = ['test/console/specs', 'test/docker/image', 'test/e2e/', 'test/clients/', 'test/drops/o', 'test/worker/', 'test/workflows/']

/** Orders the test files, the longest first by its own last run; those that have not run here come first, those of `LONG` and large ones before others. */
export default class LongestFirst {
  sort(tests) {
    const timings = readTimings()
    const ranks = new Map(
      tests.map((test) => {
        const file = testFile(test.path)
        const place = LONG.findIndex((name) => file.startsWith(name))
        const rank = place === -1 ? 0 : LONG.length - place
        return [test, [timings[file]?.seconds ?? Number.POSITIVE_INFINITY, rank, test.context.hasteFS.getSize(test.path) ?? 0]]
      }),
    )
    return [...tests].sort((one, other) => {
      const [first, second] = [ranks.get(one), ranks.get(other)]
      const at = first.findIndex((rank, index) => rank !== second[index])
      return at === -1 ? 0 : second[at] - first[at]
    })
  }

  /** Does nothing: the reporter keeps the times of every run. */
  cacheResults() {}

  allFailedTests(tests) {
    return tests
  }
}
