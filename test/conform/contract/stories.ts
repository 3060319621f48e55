import type { Suite } from '../../../src/conform/runSuite.ts'
import { FILES } from './files.ts'
import { FOLLOWING } from './following.ts'
import { LIFECYCLE } from './lifecycle.ts'
import { ORDERING } from './ordering.ts'
import { PUBLISHING } from './publishing.ts'
import type { ContractStory, ContractWorld } from './world.ts'

/** Holds a marketplace to the contract. */
export const CONTRACT: readonly ContractStory[] = [...PUBLISHING, ...ORDERING, ...LIFECYCLE, ...FILES, ...FOLLOWING]

export function contractSuite(world: ContractWorld): Suite<ContractWorld> {
  return { name: 'contract', target: 'the marketplace', stories: CONTRACT, world }
}
