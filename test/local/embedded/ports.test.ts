import { connect } from 'node:net'
import { expect, it } from '@jest/globals'
import { choosePort, freePort, holdPort, isFree } from '../../../src/local/embedded/ports.ts'

it('a port that is held is not chosen again until it is released', async () => {
  const port = await freePort()
  const release = await holdPort(port)
  expect(await isFree(port)).toBe(false)
  expect(await choosePort({ setting: 'PORT', remembered: port })).not.toBe(port)
  await release()
  expect(await choosePort({ setting: 'PORT', remembered: port })).toBe(port)
})

it('is released immediately although a client is connected to it', async () => {
  const port = await freePort()
  const release = await holdPort(port)
  const client = connect({ port, host: '127.0.0.1' }).on('error', () => undefined)
  await new Promise((resolve) => client.once('close', resolve))
  await release()
  expect(await isFree(port)).toBe(true)
})
