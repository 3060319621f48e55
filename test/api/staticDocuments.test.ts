import { describe, expect, it } from '@jest/globals'
import { useApp } from '../support/useApp.ts'

const app = useApp()

describe.each(['/v1/openapi.json', '/v1/changelog.json'])('GET %s', (path) => {
  const get = (headers: Record<string, string>) => app.request.get(path).set(headers)

  it.each(['gzip', 'identity', 'br'])('is 200 with the same document for Accept-Encoding %s', async (encoding) => {
    const { body, headers } = await get({ 'Accept-Encoding': encoding }).expect(200)
    expect(body).toEqual((await get({ 'Accept-Encoding': 'gzip' })).body)
    expect(headers['content-encoding']).toBe(encoding === 'gzip' ? 'gzip' : undefined)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(headers.vary).toMatch(/Accept-Encoding/)
  })

  it('is 304 without a body for a client that has the document', async () => {
    const { headers } = await get({ 'Accept-Encoding': 'gzip' })
    const again = await get({ 'Accept-Encoding': 'gzip', 'If-None-Match': `"x", W/${headers.etag}` }).expect(304)
    expect([again.text, again.headers.etag]).toEqual(['', headers.etag])
    await get({ 'Accept-Encoding': 'identity', 'If-None-Match': headers.etag as string }).expect(200)
  })
})
