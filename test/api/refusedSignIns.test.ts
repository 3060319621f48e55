import { expect, it } from '@jest/globals'
import { pino } from 'pino'
import supertest from 'supertest'
import { createApp } from '../../api/app.ts'
import { newToken } from '../../src/store/tenants/token.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()

it('a refused sign-in to the console is logged with its reason and without the token, and so is a lock-out', async () => {
  const lines: string[] = []
  const request = supertest(createApp(market.deps, pino({}, { write: (line: string) => void lines.push(line) })))
  const token = newToken('test')
  const signIn = (body: object) => request.post('/session').set('Sec-Fetch-Site', 'same-origin').send(body)
  expect((await signIn({ persona: 'cable' })).status).toBe(201)
  for (let time = 0; time < 12; time++) await signIn({ token })
  const refused = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a sign-in was refused')
  expect(refused).toHaveLength(12)
  expect(refused[0]).toMatchObject({ level: 30, source: '127.0.0.1', reason: expect.any(String), request_id: expect.any(String) })
  expect(refused.at(-1)?.reason).toMatch(/^More than 10 refused sign-ins in a minute/)
  expect(lines.join('')).not.toContain(token)
})
