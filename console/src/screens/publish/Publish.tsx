import { getRouteApi } from '@tanstack/react-router'
import type { PublishKind } from '../../api/queries/publishing.ts'
import { Missing } from '../../ui/Home.tsx'
import { KINDS } from './kinds.ts'
import { Sheet } from './Sheet.tsx'

const route = getRouteApi('/publish/$kind')

/** Publishing as a spreadsheet: the rows, their faults, and the changes that they would make. */
export function Publish() {
  const { kind } = route.useParams()
  return Object.hasOwn(KINDS, kind) ? <Sheet key={kind} kind={KINDS[kind as PublishKind]} /> : <Missing />
}
