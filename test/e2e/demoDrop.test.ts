import { expect, it } from '@jest/globals'
import { runDemo } from '../support/runDemo.ts'

it('npm run demo:drop walks a seller at level 0 from files over SFTP to a placed order', async () => {
  const output = await runDemo('demo:drop')
  expect(output).toMatch(/--sftp/)
  expect(output).toMatch(/: partial, 14 rows written, 1 rejected/)
  expect(output).toMatch(/rate_cards\.xlsx +3 +UNKNOWN_PRODUCT_ID +product_id +lks-evening-nws/)
  expect(output).toMatch(/: success, 15 rows written, 0 rejected/)
  expect(output).toMatch(/lakeshore-28 +Lakeshore 28 +0 /)
  expect(output).toMatch(/seller_review -> placed .* gate console/)
}, 180_000)
