import { randomInt } from 'node:crypto'
import fc from '../../node_modules/fast-check/lib/fast-check.js'

/**
 * The module that tests import as `fast-check`. Each run of the suite draws the same examples, so that a failure comes from a change.
 * PROPERTY_SEED draws others: a number, or `random`; a failing property reports its seed.
 */
const { PROPERTY_SEED = '20300601' } = process.env
const seed = PROPERTY_SEED === 'random' ? randomInt(2 ** 31) : Number(PROPERTY_SEED || Number.NaN)
if (!Number.isInteger(seed)) throw new Error(`PROPERTY_SEED is "${PROPERTY_SEED}"; it must be a whole number or "random".`)
fc.configureGlobal({ seed })

export * from '../../node_modules/fast-check/lib/fast-check.js'
export default fc
