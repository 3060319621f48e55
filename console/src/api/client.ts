import createClient, { type Middleware } from 'openapi-fetch'
import { noteServerDate } from './clock.ts'
import { noteAnswer } from './health.ts'
import type { paths } from './schema.d.ts'

/** The typed client of `/v1`. Calls go through the files of queries/, which have each of them once. */
export const api = createClient<paths>({ baseUrl: '/v1', credentials: 'same-origin' })

/** What a call says of its sender, set by the session. */
export const sender: { csrf: string | undefined; onUnauthenticated: () => void } = { csrf: undefined, onUnauthenticated: () => undefined }

const middleware: Middleware = {
  onRequest({ request }) {
    if (sender.csrf !== undefined && request.method !== 'GET') request.headers.set('X-CSRF-Token', sender.csrf)
  },
  onResponse({ response }) {
    noteServerDate(response.headers.get('Date'))
    noteAnswer(!OUTAGE.has(response.status))
    if (response.status === 401) sender.onUnauthenticated()
  },
  onError({ error }) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) noteAnswer(false)
  },
}

const OUTAGE = new Set([502, 503, 504])

api.use(middleware)
