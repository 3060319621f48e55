import { createRootRoute } from '@tanstack/react-router'
import { Missing } from '../ui/Home.tsx'
import { Shell } from '../ui/Shell.tsx'

/** The frame around every screen. */
export const root = createRootRoute({ component: Shell, notFoundComponent: Missing })
