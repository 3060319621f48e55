import { describe, expect, it } from '@jest/globals'
import { plainTargetUrl, targetUrlFault } from '../../../src/domain/targets/targetUrl.ts'

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

  it.each([
    ['', 'https'],
    ['hooks.example.com', 'https'],
    ['http://hooks.example.com/', 'https'],
    ['ftp://hooks.example.com/', 'https'],
    ['javascript:alert(1)', 'https'],
    ['https:hooks.example.com', 'https'],
    ['https:///hooks.example.com', 'https'],
    ['https://hooks.example.com\\@evil.example', 'https'],
    ['https://hooks.example.com/\t', 'https'],
    [' https://hooks.example.com', 'https'],
    ['https://hooks.example.com/b\u00fccher', 'percent-encoded'],
    ['HTTP://hooks.example.com/', 'https'],
    ['https://hooks.example.com\uff0f@evil.example/', 'user'],
    ['https://user\uff20hooks.example.com/', 'https'],
    ['https://B\u00fc@hooks.example.com/', 'user'],
    ['https://\uff19\uff13.184.215.14/', 'address'],
    ['https://intr\u00e4net/', 'dot'],
    ['https://user@hooks.example.com/', 'user'],
    ['https://user:secret@hooks.example.com/', 'user'],
    ['https://@hooks.example.com/', 'user'],
    ['https://hooks.example.com/#', 'fragment'],
    ['https://hooks.example.com/#part', 'fragment'],
    ['https://93.184.215.14/', 'address'],
    ['https://[2606:2800:220:1::1]/', 'address'],
    ['https://0x5db8d70e/', 'address'],
    ['https://intranet/', 'dot'],
    ['https://intranet./', 'dot'],
    ['https://.example/', 'dot'],
    ['https://hooks.example.com:8080/', 'port'],
    ['https://hooks.example.com:22/', 'port'],
    [`https://a.example/${'x'.repeat(2_048)}`, 'longer'],
  ])('may never be %.60s', (url, why) => {
    expect(targetUrlFault(url, false)).toContain(why)
    expect(targetUrlFault(url, true)).toContain(why)
  })

  it.each([
    'http://localhost:3000/hook',
    'https://localhost/',
    'http://seller.localhost:9/',
    'http://127.0.0.1:3000/hook',
    'http://127.1:3000/hook',
    'http://2130706433/',
    'http://[::1]:3000/',
    'HTTP://LOCALHOST:3000/',
    'https://\uff11\uff12\uff17.0.0.1/',
    'https://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3/',
  ])('leads to this machine in the sandbox alone: %s', (url) => {
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
