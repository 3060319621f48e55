import type { Suite } from '../runSuite.ts'
import { NotApplicable, type Story } from '../story.ts'
import { HIGHER } from './higherLevels.ts'
import { FILES_AND_CONSOLE } from './levelZero.ts'
import type { SellerWorld } from './world.ts'

/**
 * Holds a seller to the levels that its profile declares. The sandbox's buyer orders from it, and the seller answers as it always does: by its
 * people, its rules, its program or its own API. What the profile does not declare is not called.
 */
export function sellerSuite(world: SellerWorld): Suite<SellerWorld> {
  return { name: 'seller', target: world.seller, stories: [...FILES_AND_CONSOLE, ...HIGHER].map(declaredOnly), world }
}

function declaredOnly(story: Story<SellerWorld>): Story<SellerWorld> {
  return {
    ...story,
    async run(world, holds) {
      const { conformance_level, next_level } = world.profile
      if ((story.level ?? 0) > conformance_level) {
        const missing = (next_level?.missing ?? []).join(', ')
        throw new NotApplicable(`the profile declares level ${conformance_level}; the next needs: ${missing}`)
      }
      await story.run(world, holds)
    },
  }
}
