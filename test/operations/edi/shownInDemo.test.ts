import { expect, it } from '@jest/globals'
import { runDemo } from '../../support/runDemo.ts'

it('npm run demo shows the mail of the placed order, with the estimate of the order in its head and in its document', async () => {
  const story = await runDemo('demo')
  expect(story).toMatch(/GET \/v1\/orders\/ord_\w+\/edi\n/)
  expect(story).toMatch(/confirmed +sent +billing@northlight\.example +edi_\w+@\S+ +\d/)
  expect(story).toMatch(/^ +Subject: CONFIRMED \S+ v1 EST EST-20417\s/m)
  expect(story).toMatch(/^ +Edi-Estimate-ID: EST-20417$/m)
  expect(story).toMatch(/<estimate>\s+<desc><\/desc>\s+<ID>\s+<code codeOwner="Agency">EST-20417<\/code>/)
}, 240_000)
