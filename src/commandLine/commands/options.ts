import { InvalidArgumentError } from 'commander'

/** Parses a whole number of at least `least`. */
export function wholeNumber(least = 1): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (!/^\d{1,9}$/.test(text) || number < least) throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`)
    return number
  }
}

/** Parses names separated by commas. */
export function names(text: string): string[] {
  const found = text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
  if (found.length === 0) throw new InvalidArgumentError('It must name at least one.')
  return found
}
