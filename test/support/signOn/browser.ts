/** The part of a browser that a sign-in needs: it keeps the cookies of one host and follows its redirects and forms. */
export interface SignOnBrowser {
  /** Signs in at the issuer with a login; returns the address to which the issuer redirects the browser. */
  walk(authorization: string, login: string): Promise<URL>
}

const MAX_STEPS = 20

export function signOnBrowser(issuer: string): SignOnBrowser {
  const jar = new Map<string, string>()
  const ask = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const reply = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const sent of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = (sent.split(';')[0] ?? '').split('=')
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return reply
  }
  return {
    async walk(authorization, login) {
      let reply = await ask(authorization)
      for (let step = 0; step < MAX_STEPS; step++) {
        const location = reply.headers.get('location')
        if (location !== null) {
          const url = new URL(location, issuer)
          if (url.origin !== issuer) return url
          reply = await ask(url.href)
          continue
        }
        const page = await reply.text()
        const [, action] = /<form [^>]*action="([^"]+)"/.exec(page) ?? []
        const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? []
        if (action === undefined || prompt === undefined) throw new Error(`The issuer shows no form: ${reply.status} ${page.slice(0, 400)}`)
        reply = await ask(new URL(action, issuer).href, { prompt, ...(prompt === 'login' && { login, password: 'x' }) })
      }
      throw new Error('The sign-in at the issuer does not end.')
    },
  }
}
