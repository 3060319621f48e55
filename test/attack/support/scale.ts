/** Whether this run is the long one, `npm run attack`, and not `npm test`. */
export const IS_LONG = process.env.ATTACK === 'long'

/** The size of an attack: `small` in `npm test`, `long` in `npm run attack`. */
export function scale<T>(small: T, long: T): T {
  return IS_LONG ? long : small
}
