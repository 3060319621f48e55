import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { SIDE_SCOPES } from '../../src/contract/vocabulary/access.ts'
import { buildConsole } from '../../src/local/embedded/buildConsole.ts'
import { freePort } from '../../src/local/embedded/ports.ts'
import { missingForSpecs, runSpecs } from '../support/console/playwright.ts'
import { temporaryFolder } from '../support/files/temporaryFolder.ts'
import { type ApiProcess, startApiProcess } from '../support/http/apiProcess.ts'
import { AUDIENCE, CONSOLE_CLIENT, startIssuer, type TestIssuer } from '../support/signOn/issuer.ts'
import { useMarket } from '../support/useMarket.ts'

/** The sign-in with a real issuer in a browser, with an API of its own at localhost and the issuer at 127.0.0.1, which is another site. */
;(missingForSpecs.length > 0 ? describe.skip : describe)('the sign-in with an issuer', () => {
  const market = useMarket()
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let issuer: TestIssuer
  let api: ApiProcess
  beforeAll(async () => {
    expect(await buildConsole({ onProgress: () => undefined })).toBe(true)
    folder = await temporaryFolder()
    const port = await freePort()
    const PUBLIC_URL = `http://localhost:${port}`
    issuer = await startIssuer({ callbacks: [`${PUBLIC_URL}/session/callback`] })
    const seller = { name: 'Priya Raman', tenant: 'cable', side: 'seller', scope: SIDE_SCOPES.seller.join(' ') }
    issuer.people.set('priya', seller).set('lost', { ...seller, tenant: 'nowhere' })
    const signOn = {
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: AUDIENCE,
      OIDC_CLIENT_ID: CONSOLE_CLIENT,
      OIDC_SCOPES: 'openid profile market',
    }
    api = await startApiProcess(market, { env: { PORT: String(port), PUBLIC_URL, ...signOn } })
    await writeFile(join(folder.path, 'credentials.json'), JSON.stringify({ base_url: `${PUBLIC_URL}/v1`, sellers: {}, buyers: {} }))
  }, 300_000)
  afterAll(async () => {
    await api?.stop()
    await issuer?.stop()
    await folder?.remove()
  })

  it('takes a person to the issuer and back', async () => {
    const outcomes = await runSpecs(folder.path, ['signOn/issuer.spec.ts'])
    expect(outcomes.length).toBe(2)
    expect(outcomes.filter(({ fault }) => fault !== undefined)).toEqual([])
  }, 120_000)
})

/** The sign-in at the plain http address of PUBLIC_URL, to which browsers do not send the origin of a request. */
;(missingForSpecs.length > 0 ? describe.skip : describe)('the sign-in at a plain http address', () => {
  const market = useMarket()
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let api: ApiProcess
  beforeAll(async () => {
    expect(await buildConsole({ onProgress: () => undefined })).toBe(true)
    folder = await temporaryFolder()
    api = await startApiProcess(market, { env: { PUBLIC_URL: 'http://marketplace.example' } })
    const sellers = { cable: { token: market.tokens.sellers.cable } }
    await writeFile(join(folder.path, 'credentials.json'), JSON.stringify({ base_url: api.baseUrl, sellers, buyers: {} }))
  }, 300_000)
  afterAll(async () => {
    await api?.stop()
    await folder?.remove()
  })

  it('accepts a sign-in from its own page only', async () => {
    const outcomes = await runSpecs(folder.path, ['signOn/insecure.spec.ts'])
    expect(outcomes.length).toBe(2)
    expect(outcomes.filter(({ fault }) => fault !== undefined)).toEqual([])
  }, 120_000)
})
