import { expect, it } from '@jest/globals'
import { runDemo } from '../support/runDemo.ts'

it('npm run demo:drop walks a seller at level 0 from files over SFTP to a placed order', async () => {
  const story = await runDemo('demo:drop')
  expect(story).toMatch(/--sftp/)
  expect(story).toMatch(/: partial, 14 rows written, 1 rejected/)
  expect(story).toMatch(/rate_cards\.xlsx +3 +UNKNOWN_PRODUCT_ID +product_id +lks-evening-nws/)
  expect(story).toMatch(/: success, 15 rows written, 0 rejected/)
  expect(story).toMatch(/lakeshore-28 +Lakeshore 28 +0 /)
  expect(story).toMatch(/seller_review -> placed .* gate console/)
}, 180_000)
