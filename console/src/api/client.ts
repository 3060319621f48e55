import createClient, { type Middleware } from 'openapi-fetch'
import { noteServerDate } from './clock.ts'
import { noteAnswer } from './health.ts'
import type { paths } from './schema.d.ts'

/** The typed client of `/v1`. All calls go through the files in queries/, where each call is defined once. */
export const api = createClient<paths>({
  baseUrl: '/v1',
  credentials: 'same-origin',
  querySerializer: { array: { style: 'form', explode: false } },
})

/** How a call identifies its sender, as set by the session, and the reaction when the API refuses that sender. */
export const sender: { csrf: string | undefined; onRefused: () => void } = { csrf: undefined, onRefused: () => undefined }

const middleware: Middleware = {
  onRequest({ request }) {
    if (sender.csrf !== undefined && request.method !== 'GET') request.headers.set('X-CSRF-Token', sender.csrf)
  },
  onResponse({ request, response: { headers, status } }) {
    noteServerDate(headers.get('Date'))
    noteAnswer(status)
    // A forbidden write may carry the token of a session that another tab has replaced.
    if (status === 401 || (status === 403 && request.method !== 'GET')) sender.onRefused()
  },
  onError({ error }) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) noteAnswer(0)
  },
}

api.use(middleware)
