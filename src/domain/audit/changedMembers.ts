import { canonicalJson } from '../canonicalJson.ts'

type Members = Record<string, unknown>

/** Returns the members that a change affected, before and after, for the audit log. Undefined if none differs. */
export function changedMembers(before: object | null, after: object | null): { before: Members | null; after: Members | null } | undefined {
  const [was, is] = [{ ...before } as Members, { ...after } as Members]
  const differing = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (name) => canonicalJson(was[name]) !== canonicalJson(is[name]),
  )
  if (differing.length === 0) return undefined
  const shown = differing.slice(0, MAX_MEMBERS)
  const left = differing.length - shown.length
  const picked = (members: Members) => ({
    ...Object.fromEntries(shown.filter((name) => members[name] !== undefined).map((name) => [name, shortened(members[name])])),
    ...(left > 0 ? { further_members: left } : {}),
  })
  return { before: before && picked(was), after: after && picked(is) }
}

/** The most members of an entry, which keeps it readable for any input of a tenant. */
const MAX_MEMBERS = 50
const MAX_CHARACTERS = 500

function shortened(value: unknown): unknown {
  const { length } = canonicalJson(value)
  return length > MAX_CHARACTERS ? { characters: length } : value
}
