import { base } from './jest.config.js'

/** Pure rules: no engine is started, so none of these may need one. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/domain/**/*.test.ts', '<rootDir>/test/contract/**/*.test.ts', '<rootDir>/test/config/*.test.ts'],
  globals: { engines: false },
  testTimeout: 10_000,
}
