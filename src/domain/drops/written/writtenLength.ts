/** Returns the seconds of a length such as :30, 30s, 1:00 or 0:00:30; undefined for other texts. */
export function secondsOf(text: string): number | undefined {
  const [, hours = '0', minutes = '0', seconds] = CLOCK.exec(text) ?? PLAIN.exec(text) ?? []
  return seconds === undefined ? undefined : Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)
}

const CLOCK = /^(?:(?:(\d{1,2}):)?(\d{1,2}))?:(\d\d)s?$/
const PLAIN = /^()()(\d{1,4}) ?(?:s|sec|secs|seconds)\.?$/i

/**
 * Returns the seconds of a time cell, HH:MM:SS; undefined where it may be minutes and seconds that were typed as hours and minutes: 00:30:00 may be
 * thirty seconds. No spot is shorter than five seconds, so that up to four whole minutes are minutes.
 */
export function secondsOfTime(time: string): number | undefined {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map((part) => Math.floor(Number(part)))
  if (seconds === 0 && (hours > 0 || minutes > 4)) return undefined
  return hours * 3_600 + minutes * 60 + seconds
}
