import { spawn } from 'node:child_process'

/** Modules of tests are loaded by `node:vm`, which Node calls experimental. */
const NODE = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning']

/** @returns {Promise<number>} The exit code of jest. */
export async function runJest(config, jestArguments) {
  const jest = spawn(process.execPath, [...NODE, 'node_modules/jest/bin/jest.js', '-c', config, ...jestArguments], { stdio: 'inherit' })
  // A terminal signals both; another program signals only this one.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => jest.kill(signal))
  return new Promise((done) => jest.once('close', (code) => done(code ?? 1)))
}
