import { getRouteApi } from '@tanstack/react-router'
import type { PublishKind } from '../../api/queries/publishing.ts'
import { KINDS } from './kinds.ts'
import { Sheet } from './Sheet.tsx'

const route = getRouteApi('/publish/$kind')

/** Publishing as a spreadsheet: rows, what is wrong with them, and what they would change. */
export function Publish() {
  const { kind } = route.useParams()
  const known = KINDS[kind as PublishKind] ?? KINDS.rates
  return <Sheet key={known.id} kind={known} />
}
