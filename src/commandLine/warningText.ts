import { nearestIs } from '../contract/nearestName.ts'

/** Returns a warning of a reply as a person reads it: its sentence, or its code and what it is about. */
export function warningText(warning: { readonly code?: string; readonly message?: string }): string {
  const { code, message, ...about } = warning as { code?: string; message?: string; pointer?: string; nearest?: string }
  if (message !== undefined) return message
  const { pointer = '', nearest } = about
  if (code === 'UNKNOWN_MEMBER') return `${pointer.slice(1).replaceAll('/', '.')} is not known here, and ignored${nearestIs(nearest)}`
  return `${code} ${JSON.stringify(about)}`
}
