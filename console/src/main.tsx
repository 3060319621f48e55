import '@fontsource-variable/inter/wght.css'
import '@mantine/core/styles.css'
import '@mantine/spotlight/styles.css'
import './ui/base.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sender } from './api/client.ts'
import { isOutage } from './api/fault.ts'
import { sessionRead } from './api/session.ts'
import { router } from './router.ts'
import { printInLight } from './ui/paper.ts'
import { cssVariables, theme } from './ui/theme.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
// Libraries that create style elements read the page's nonce from here.
Object.assign(globalThis, { __webpack_nonce__: nonce })

// A page older than the last build requests files that no longer exist; one reload loads the new page.
window.addEventListener('vite:preloadError', (event) => {
  if (sessionStorage.getItem('reloaded') === location.href) return
  sessionStorage.setItem('reloaded', location.href)
  event.preventDefault()
  location.reload()
})

const queries = new QueryClient({
  defaultOptions: {
    // Does not rely on the browser's online state: a write that it holds back would be sent later without the user knowing.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 30_000,
      retry: (failures, error) => isOutage(error) && failures < 6,
      retryDelay: (attempt) => Math.min(1_000 * 2 ** attempt, 30_000),
    },
  },
})
// After a session has ended or was replaced, the sign-in is shown over the page, which keeps its drafts.
sender.onRefused = () => void queries.invalidateQueries({ queryKey: sessionRead.queryKey })

printInLight()
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" cssVariablesResolver={cssVariables} getStyleNonce={() => nonce}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
