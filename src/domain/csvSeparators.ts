/** The marks by which other programs separate the fields of a csv, with their names. Commas are what is read. */
export const SEPARATORS: readonly (readonly [mark: string, name: string])[] = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars'],
]

/** Returns the name of the separator that a first row has more often than commas; undefined if commas separate it. */
export function separatorInstead(count: (mark: string) => number): string | undefined {
  return SEPARATORS.find(([mark]) => count(mark) > count(','))?.[1]
}
