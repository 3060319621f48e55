import config from './jest.config.js'

/** Temporal's own server is not part of a run of everything: go builds it for a quarter of an hour. */
export default { ...config, testMatch: ['<rootDir>/test/worker/temporalServer.suite.ts'] }
