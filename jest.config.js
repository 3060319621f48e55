/** Everything; `jest.domain.config.js` is the part that needs no engine and runs in seconds. */
export const base = {
  globalSetup: '<rootDir>/test/support/globalSetup.js',
  globalTeardown: '<rootDir>/test/support/globalTeardown.js',
  testEnvironment: '<rootDir>/test/support/timedEnvironment.js',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '/test/.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
    '/(src|api|workflows|activities|worker|sftp|bounces|tools)/.+\\.ts$': ['<rootDir>/test/support/nativeModules.js', { of: 'modules' }],
    '/node_modules/.+\\.mjs$': ['<rootDir>/test/support/nativeModules.js', { of: 'modules' }],
    '/node_modules/.+\\.c?js$': ['<rootDir>/test/support/nativeModules.js', { of: 'packages' }],
  },
  // oidc-provider knows the objects of its settings by their prototypes.
  transformIgnorePatterns: ['/node_modules/(@jest|jest-[^/]+|expect|oidc-provider)/'],
  // The examples of property tests are the same in each run.
  moduleNameMapper: { '^fast-check$': '<rootDir>/test/support/seededFastCheck.js' },
  workerIdleMemoryLimit: '1GB',
  maxWorkers: 2,
  modulePathIgnorePatterns: [
    '<rootDir>/dist/',
    '<rootDir>/.data/',
    '<rootDir>/.compiled/',
    '<rootDir>/.built/',
    '<rootDir>/console/node_modules/',
    '<rootDir>/console/dist/',
  ],
  reporters: ['default', '<rootDir>/test/support/summaryReporter.js'],
}

export default {
  ...base,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testSequencer: '<rootDir>/test/support/longestFirst.js',
  testTimeout: 60_000,
}
