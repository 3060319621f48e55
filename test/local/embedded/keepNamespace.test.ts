import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Connection } from '@temporalio/client'
import { keepNamespace } from '../../../src/local/embedded/keepNamespace.ts'
import { devServer } from '../../support/engines/temporal.ts'
import { until } from '../../support/until.ts'

type Server = Awaited<ReturnType<typeof devServer>>

let env: Server
let connection: Connection
const said: string[] = []
beforeAll(async () => {
  env = await devServer()
  connection = await Connection.connect({ address: env.address })
}, 120_000)
afterAll(async () => {
  await connection.close()
  await env.teardown()
})

it('registers a namespace again that somebody has deleted, and says so once', async () => {
  const namespace = env.namespace ?? ''
  const id = async () =>
    connection.workflowService.describeNamespace({ namespace }).then(
      ({ namespaceInfo }) => namespaceInfo?.id,
      () => undefined,
    )
  const first = await id()
  const kept = keepNamespace(env.address, namespace, (text) => said.push(text))
  await connection.operatorService.deleteNamespace({ namespace })
  await until(async () => ![undefined, first].includes(await id()), 30)
  await kept.stop()
  expect(said).toEqual([`Temporal had lost its namespace ${namespace}, which is registered again.`])
}, 60_000)
