import { createHash } from 'node:crypto'
import type { Variance } from '../domain/settlement/reconciliationLines.ts'
import { base32 } from '../store/connection/newId.ts'

/** Where a variance is: the n-th of its code on a line of an order. */
export type VariancePlace = Pick<Variance, 'code' | 'n'> & {
  order_id: string
  unit_id: string | null
  network: string
  air_date: string
}

/** The id of a variance, which stays the same as long as new data leaves the variance where it is. */
export function varianceId({ order_id, unit_id, network, air_date, code, n }: VariancePlace): string {
  const place = JSON.stringify([order_id, unit_id, network, air_date, code, n])
  return `var_${base32(createHash('sha256').update(place).digest().subarray(0, 16))}`
}
