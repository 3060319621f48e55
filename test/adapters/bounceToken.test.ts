import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { bounceAddress, bouncedMessage } from '../../src/adapters/mail/bounceToken.ts'
import { isMailAddress } from '../../src/contract/mailAddress.ts'
import { newId } from '../../src/store/connection/newId.ts'

const KEY = randomBytes(32)
const DOMAIN = 'bounces.marketplace.example'
const ID = `edi_${newId('ord_').slice(4)}`

describe('bounceAddress', () => {
  it('is one mail address that names the message', () => {
    const address = bounceAddress(ID, DOMAIN, KEY)
    expect(address).toMatch(new RegExp(`^edi\\+${ID}\\.[0-9a-f]{10}@bounces\\.marketplace\\.example$`))
    expect(isMailAddress(address)).toBe(true)
  })
})

describe('bouncedMessage', () => {
  it('reads what bounceAddress made, in any case', () => {
    const address = bounceAddress(ID, DOMAIN, KEY)
    for (const sent of [address, address.toUpperCase()]) expect(bouncedMessage(sent, DOMAIN, KEY)).toBe(ID)
  })

  const address = bounceAddress(ID, DOMAIN, KEY)
  const other = bounceAddress(`${ID.slice(0, -1)}z`, DOMAIN, KEY)
  it.each([
    ['another key', bounceAddress(ID, DOMAIN, randomBytes(32))],
    ['the proof of another message', `${address.split('.', 1)}.${other.slice(other.indexOf('.') + 1)}`],
    ['another domain', address.replace(DOMAIN, 'bounces.example')],
    ['a longer domain', `${address}.example`],
    ['a shorter proof', address.replace(/[0-9a-f]@/, '@')],
    ['no proof', `edi+${ID}@${DOMAIN}`],
    ['another prefix', address.replace('edi+', 'abc+')],
    ['text before it', `x${address}`],
    ['nothing', ''],
    ['a line end', `${address}\r\nRCPT TO:<x@y.example>`],
  ])('is undefined for %s', (_what, sent) => {
    expect(bouncedMessage(sent, DOMAIN, KEY)).toBeUndefined()
  })
})
