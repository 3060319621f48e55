const OF_HALVES = /^(\d{1,2})(?::(\d\d)(?::(\d\d))?)? ?([ap])\.?m?\.?$/i

/** Returns a time such as 7:45 PM with 24 hours; undefined for other texts. */
export function timeOfHalves(text: string): string | undefined {
  const [, hour, minute = '00', second, half] = OF_HALVES.exec(text) ?? []
  if (hour === undefined || half === undefined || Number(hour) < 1 || Number(hour) > 12) return undefined
  const of24 = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return `${String(of24).padStart(2, '0')}:${minute}${second === undefined ? '' : `:${second}`}`
}
