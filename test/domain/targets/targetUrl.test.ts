import { describe, expect, it } from '@jest/globals'
import { plainTargetUrl, targetUrlFault } from '../../../src/domain/targets/targetUrl.ts'
import { LOOPBACK_URLS, REFUSED_URLS } from '../../support/http/innerTargets.ts'

describe('a URL that the platform is to call', () => {
  it.each([
    'https://hooks.example.com/orders',
    'https://hooks.example.com:443/orders?tenant=1',
    'https://hooks.example.com:8443',
    'https://xn--bcher-kva.example/',
    'https://b\u00fccher.example/',
    'HTTPS://Hooks.Example.com/orders',
    'https://\u4f8b\u3048.\u30c6\u30b9\u30c8:8443/orders',
    `https://a.example/${'x'.repeat(2_048 - 18)}`,
  ])('may be %.60s', (url) => {
    expect(targetUrlFault(url, false)).toBeUndefined()
    expect(targetUrlFault(url, true)).toBeUndefined()
  })

  it.each(REFUSED_URLS)('can never be %.60s', (url, why) => {
    expect(targetUrlFault(url, false)).toContain(why)
    expect(targetUrlFault(url, true)).toContain(why)
  })

  it.each(LOOPBACK_URLS)('leads to this machine in the sandbox alone: %s', (url) => {
    expect(targetUrlFault(url, true)).toBeUndefined()
    expect(targetUrlFault(url, false)).toContain('this machine')
  })
})

describe('a URL is kept', () => {
  it.each([
    ['HTTPS://Hooks.Example.COM/Orders?A=B', 'https://hooks.example.com/Orders?A=B'],
    ['https://B\u00fccher.example:8443', 'https://xn--bcher-kva.example:8443'],
    ['https://hooks\u3002example/x', 'https://hooks.example/x'],
    ['HtTp://LocalHost:3000/hook', 'http://localhost:3000/hook'],
  ])('with scheme and host in their plain form: %s', (sent, kept) => {
    expect(plainTargetUrl(sent)).toBe(kept)
    expect(plainTargetUrl(kept)).toBe(kept)
  })

  it.each([
    'https://hooks.example.com:443/./a',
    'https://hooks.example.com',
    'not a URL',
    'https://',
    'https://User@Host.example/',
    'HTTPS://a\\b/',
  ])('as sent otherwise: %s', (url) => expect(plainTargetUrl(url)).toBe(url))
})
