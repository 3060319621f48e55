import { describe, expect, it } from '@jest/globals'
import { SellerProfile } from '../../../src/contract/seller.ts'
import { conformanceLevel, nextLevel } from '../../../src/domain/discovery/conformanceLevel.ts'

const pull = { transports: { pull: { base_url: 'https://seller.example/api', secret_ref: 'pull' } } }
const seller = (profile: object, shown = { has_products: true, uses_api: true }) => ({ ...shown, profile: SellerProfile.parse(profile) })

describe('conformanceLevel is computed and cumulative (choices, Level)', () => {
  it.each([
    [0, seller({}, { has_products: false, uses_api: false })],
    [0, seller({}, { has_products: true, uses_api: false })],
    [1, seller({})],
    [2, seller({ ...pull, realtime_availability: true })],
    [3, seller({ ...pull, realtime_availability: true, negotiation: true })],
    [3, seller({ ...pull, realtime_availability: true, negotiation: true, holds: true, sla: { min_lead_minutes: 1440 } })],
    [4, seller({ ...pull, realtime_availability: true, negotiation: true, holds: true, sla: { min_lead_minutes: 60 } })],
    [1, seller({ negotiation: true, holds: true })],
  ])('is %i', (level, of) => {
    expect(conformanceLevel(of)).toBe(level)
  })

  it('says what is missing for the next one, and nothing on the highest', () => {
    expect(nextLevel(seller({}, { has_products: false, uses_api: false }))).toEqual({
      level: 1,
      missing: ['publish a product', 'publish or decide over the API'],
    })
    expect(nextLevel(seller({ negotiation: true }))).toMatchObject({ level: 2 })
    expect(nextLevel(seller({ ...pull, realtime_availability: true, negotiation: true, holds: true }))).toBeNull()
  })
})
