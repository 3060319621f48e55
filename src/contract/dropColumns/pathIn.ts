import type { Column } from './columnsOf.ts'

const FREE = '{code}'

/** Returns the path of the member that a name means, in any case; the free part of a name keeps its case. */
export function pathIn({ name }: Pick<Column, 'name'>, sent: string): readonly string[] | undefined {
  if (!name.includes(FREE)) return name === sent.toLowerCase() ? name.split('.') : undefined
  const [before = '', after = ''] = name.split(FREE)
  const lower = sent.toLowerCase()
  if (!lower.startsWith(before) || !lower.endsWith(after) || sent.length <= before.length + after.length) return undefined
  const free = sent.slice(before.length, sent.length - after.length)
  return [...before.split('.').slice(0, -1), free, ...after.split('.').slice(1)]
}
