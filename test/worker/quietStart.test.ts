import { expect, it } from '@jest/globals'
import { useWorkers } from '../support/engines/useWorkers.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const workers = useWorkers(market)

it('a worker that starts on healthy engines logs no warning', async () => {
  const lines: unknown[] = []
  await workers.start({ LOG_LEVEL: 'warn' }, (line) => lines.push(line))
  expect(lines).toEqual([])
}, 120_000)
