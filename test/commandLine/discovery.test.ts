import { beforeAll, describe, expect, it } from '@jest/globals'
import { useCommandLine } from '../support/commandLine.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const line = useCommandLine()
let acme: { baseUrl: string; token: string }
beforeAll(() => {
  acme = { baseUrl: market.baseUrl, token: market.acme.token }
})

describe('sellers, catalog, avails and prices', () => {
  it('are tables that a person can read', async () => {
    const [sellers, catalog, avails, prices] = await Promise.all([
      line.as(acme, 'sellers'),
      line.as(acme, 'catalog', 'cable'),
      line.as(acme, 'avails', 'cable', '--product', 'prime'),
      line.as(acme, 'prices', 'cable', '--product', 'prime', '--weeks', '2030-W23'),
    ])
    expect(sellers.out).toMatch(/^seller +name +level +workflows +grains\n/)
    expect(sellers.out).toMatch(/^cable +/m)
    expect(catalog.out).toMatch(/^taxonomy tax-1, rate_version june\n\nproduct_id +name /)
    expect(catalog.out).toMatch(/^prime +Prime +CBL +daypart +day week month /m)
    expect(avails.out).toMatch(/^prime +2030-W23 +available +\d+/m)
    expect(prices.out).toMatch(
      new RegExp(`^prime +2030-W23 +30 +scatter +general +preemptible +1250\\.50 .*${market.price('prime', '2030-W23')}$`, 'm'),
    )
  })

  it('are csv with --csv, and JSON with --json', async () => {
    const { out } = await line.as(acme, 'prices', 'cable', '--product', 'weekend', '--csv')
    const [head, first] = out.split('\r\n')
    expect(head).toBe('product_id,period,length,market,class,buy_type,unit,cpm,currency,closes,locked_rate_id')
    expect(first).toMatch(/^weekend,2030-W\d\d,30,scatter,general,preemptible,99\.99,,USD,,\S+$/)
    expect(await line.json(acme, 'avails', 'cable', '--limit', '2')).toHaveLength(2)
    expect(await line.json(acme, 'prices', 'cable', '--limit', '3')).toHaveLength(3)
    const sellers = await line.json(acme, 'sellers')
    expect(sellers.map(({ seller }: { seller: string }) => seller).sort()).toEqual(['cable', 'station'])
  })

  it('say in one sentence what is wrong', async () => {
    const [nobody, week, limit] = await Promise.all([
      line.as(acme, 'catalog', 'nobody'),
      line.as(acme, 'avails', 'cable', '--weeks', 'soon'),
      line.as(acme, 'avails', 'cable', '--limit', '0'),
    ])
    expect(nobody).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^GET \/v1\/sellers\/nobody\/catalog was refused with 404: NOT_FOUND, .*\n$/),
    })
    expect(week).toMatchObject({ code: 1, err: expect.stringMatching(/INVALID_INPUT/) })
    expect(limit).toMatchObject({ code: 2, err: expect.stringContaining('must be a whole number') })
  })
})
