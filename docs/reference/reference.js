// What the pages of the reference do in a browser: they find an operation, remember a language, and try a call. All of it works without, but the last.

/** The key under which the browser remembers the language of the samples, and for its window a token. */
const LANGUAGE = 'reference-language'
const TOKEN = 'reference-token'

const find = document.querySelector('#find')
find.hidden = false
find.querySelector('input').addEventListener('input', ({ target }) => {
  const words = target.value.toLowerCase().split(' ').filter(Boolean)
  for (const group of document.querySelectorAll('nav details')) {
    let shown = 0
    for (const item of group.querySelectorAll('li')) {
      item.hidden = !words.every((word) => item.textContent.toLowerCase().includes(word))
      if (!item.hidden) shown += 1
    }
    group.hidden = shown === 0
    if (words.length > 0) group.open = shown > 0
  }
})

const languages = document.querySelector('.languages')
if (languages) {
  const show = (language) => {
    for (const sample of document.querySelectorAll('figure[data-language]')) sample.hidden = sample.dataset.language !== language
    for (const choice of languages.querySelectorAll('input')) choice.checked = choice.value === language
  }
  languages.hidden = false
  languages.addEventListener('change', ({ target }) => {
    localStorage.setItem(LANGUAGE, target.value)
    show(target.value)
  })
  const known = [...languages.querySelectorAll('input')].map(({ value }) => value)
  const last = localStorage.getItem(LANGUAGE)
  show(known.includes(last) ? last : known[0])
}

const form = document.querySelector('#try form')
if (form) {
  document.querySelector('#try').hidden = false
  form.elements.token.value = sessionStorage.getItem(TOKEN) ?? ''
  const session = fetch('/session', { headers: { accept: 'application/json' } }).then(
    (reply) => (reply.ok ? reply.json() : undefined),
    () => undefined,
  )
  void session.then((signedIn) => {
    const who = signedIn
      ? `Signed in to the console as ${signedIn.entity}. A token goes before it.`
      : 'Not signed in to the console: give a token.'
    document.querySelector('#who').textContent = who
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const answer = document.querySelector('#answer')
    answer.textContent = '…'
    try {
      answer.textContent = await answerOf(await session)
    } catch (error) {
      answer.textContent = String(error.message)
    }
  })
}

/** Sends what the form says, as the person of the console or with a token, and returns status and body. */
async function answerOf(session) {
  const { method, path } = form.dataset
  const fields = [...new FormData(form)].filter(([name, value]) => /^(path|query):/.test(name) && value !== '')
  const pathPart = (name) => encodeURIComponent(String(fields.find(([field]) => field === `path:${name}`)?.[1] ?? ''))
  const query = new URLSearchParams(fields.filter(([name]) => name.startsWith('query:')).map(([name, value]) => [name.slice(6), value]))
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => pathPart(name)) + (query.size > 0 ? `?${query}` : '')
  const token = form.elements.token.value.trim()
  sessionStorage.setItem(TOKEN, token)
  const headers = token !== '' ? { authorization: `Bearer ${token}` } : session && method !== 'GET' ? { 'x-csrf-token': session.csrf } : {}
  const body = form.elements.body?.value
  const sent = body === undefined ? {} : { body, headers: { ...headers, 'content-type': 'application/json' } }
  const reply = await fetch(url, { method, headers, ...sent, credentials: token === '' ? 'same-origin' : 'omit' })
  const text = await reply.text()
  const isJson = reply.headers.get('content-type')?.startsWith('application/json')
  return `${reply.status} ${reply.statusText}\n\n${isJson && text !== '' ? JSON.stringify(JSON.parse(text), null, 2) : text}`
}
