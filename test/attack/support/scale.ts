/** Whether this is the long run, `npm run attack`, rather than `npm test`. */
export const IS_LONG = process.env.ATTACK === 'long'

/** The rate limits of floods: off, so that nothing but the work itself bounds them. `npm run bench` has them as shipped. */
export const LIMITS = process.env.ATTACK_LIMITS === 'as shipped' ? 'on' : 'off'

/** Returns the milliseconds of a flood; ATTACK_SECONDS limits those of the long run, as in `npm run bench`. */
export function attackMs(small: number, long: number): number {
  const max = Number(process.env.ATTACK_SECONDS ?? 0) * 1_000
  return IS_LONG && max > 0 ? Math.min(long, max) : scale(small, long)
}

/** Returns the size of an attack: `small` in `npm test`, `long` in `npm run attack`. */
export function scale<T>(small: T, long: T): T {
  return IS_LONG ? long : small
}
