import { describe, expect, it } from '@jest/globals'
import { useApp } from '../support/useApp.ts'

const app = useApp()

describe.each(['/v1/openapi.json', '/v1/changelog.json'])('GET %s', (path) => {
  const get = (headers: Record<string, string>) => app.request.get(path).set(headers)

  it.each(['gzip', 'identity', 'br'])('200: the same document for Accept-Encoding %s', async (encoding) => {
    const { body, headers } = await get({ 'Accept-Encoding': encoding }).expect(200)
    expect(body).toEqual((await get({ 'Accept-Encoding': 'gzip' })).body)
    expect(headers['content-encoding']).toBe(encoding === 'gzip' ? 'gzip' : undefined)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(headers.vary).toMatch(/Accept-Encoding/)
  })

  it('304: nothing again for a client that has it', async () => {
    const { headers } = await get({ 'Accept-Encoding': 'gzip' })
    const again = await get({ 'Accept-Encoding': 'gzip', 'If-None-Match': `"x", W/${headers.etag}` }).expect(304)
    expect([again.text, again.headers.etag]).toEqual(['', headers.etag])
    await get({ 'Accept-Encoding': 'identity', 'If-None-Match': headers.etag as string }).expect(200)
  })
})
