import { describe, expect, it } from '@jest/globals'
import { isMailAddress } from '../../src/contract/mailAddress.ts'

describe('isMailAddress', () => {
  it.each([
    'billing@agency.example',
    "o'neil+edi.1@a-b.example.com",
    'edi+edi_1.0123456789@bounces.example.com',
    `${'x'.repeat(64)}@a.example`,
  ])('takes %s', (address) => expect(isMailAddress(address)).toBe(true))

  it.each([
    '',
    'billing',
    '@agency.example',
    'billing@agency',
    'billing@agency.example.',
    'billing@.example',
    'a@b@c.example',
    'a@b.example, c@d.example',
    'a@b.example;c@d.example',
    'Billing <a@b.example>',
    'x@y>\r\nRCPT TO:<evil@x',
    'a@b.example\r\n',
    'a@b.example\n',
    ' a@b.example',
    '"a b"@c.example',
    'a%b@c.example',
    'a!b@c.example',
    'a(x)@c.example',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@[IPv6:::1]',
    'a@münchen.example',
    'ä@b.example',
    '.a@b.example',
    'a.@b.example',
    'a..b@c.example',
    'a@-b.example',
    'a@b-.example',
    'a@b..example',
    `${'x'.repeat(65)}@a.example`,
    `a@${'x'.repeat(64)}.example`,
    `a@${'x.'.repeat(127)}example`,
    '@relay.example:a@b.example',
    'a\u0000@b.example',
  ])('refuses %j', (address) => expect(isMailAddress(address)).toBe(false))
})
