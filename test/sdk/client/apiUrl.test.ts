import { expect, it } from '@jest/globals'
import { apiUrl } from '../../../src/sdk/client/apiUrl.ts'

it.each(['http://127.0.0.1:8080', 'http://127.0.0.1:8080/', 'http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1/'])(
  '%s is the API at /v1',
  (baseUrl) => {
    expect(apiUrl(baseUrl)).toBe('http://127.0.0.1:8080/v1')
  },
)

it('keeps the path before the version segment', () => {
  expect(apiUrl('https://market.example/ads')).toBe('https://market.example/ads/v1')
})
