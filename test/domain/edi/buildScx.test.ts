import { describe, expect, it } from '@jest/globals'
import { buildScx } from '../../../src/domain/edi/buildScx.ts'
import { checkScx } from '../../../src/domain/edi/checkScx.ts'
import { snapshot } from '../../../src/domain/order/snapshot.ts'
import { aMessage, aPlacedOrder, EXAMPLE_LINES, TERMS } from '../../support/edi/anEdiOrder.ts'

describe('the worked example', () => {
  it('ties out to the cent, by block and in all', () => {
    const { order, descriptors } = aPlacedOrder({ lines: EXAMPLE_LINES })
    const { tree } = buildScx(order, aMessage(), TERMS, descriptors)
    console.log(JSON.stringify(tree, null, 1))
    expect(checkScx(tree, snapshot(order).totals.gross)).toEqual([])
  })
})
