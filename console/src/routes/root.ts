import { createRootRoute } from '@tanstack/react-router'
import { Missing } from '../ui/Home.tsx'
import { Shell } from '../ui/Shell.tsx'

/** What every screen is within. */
export const root = createRootRoute({ component: Shell, notFoundComponent: Missing })
