import { escapedHtml } from '../pages/sentencePage.ts'
import { type Described, exampleOf, groupsOf, nameOf, type Operation, type Parameter } from './described.ts'
import { samplesOf } from './samples.ts'
import { schemaTable } from './schemaTable.ts'

/** Returns the page that `/docs` begins with. */
export function startPage(document: Described, operations: readonly Operation[]): string {
  const groups = groupsOf(document, operations).map(({ name, description, operations: own }) => {
    const links = own.map(({ operationId, summary }) => `<li><a href="/docs/${operationId}">${escapedHtml(summary)}</a></li>`)
    return `<section class="group"><h2>${escapedHtml(name)}</h2><p>${escapedHtml(description)}</p><ul>${links.join('')}</ul></section>`
  })
  const main = `<h1>API reference</h1>
<p>${escapedHtml(document.info.description)}</p>
<p>Paths are below <code>/v1</code>. Every request carries <code>Authorization: Bearer &lt;token&gt;</code>. An error is <code>{error_code, error_message, stage, recoverable, details}</code>.
The document itself is <a href="/v1/openapi.json">OpenAPI 3.1</a>, its changes are in the <a href="/v1/changelog.json">changelog</a>.</p>
<p>Signed in to <a href="/console/">the console</a> in this browser, you can try every call as who you are there; or with a token, on each page.</p>
<div class="groups">${groups.join('')}</div>`
  return shell('API reference', operations, document, undefined, main, '')
}

/** Returns the page of an operation: what it does, what goes in and comes out, and how to call it. */
export function operationPage(document: Described, operations: readonly Operation[], operation: Operation): string {
  const { method, path, summary, description, parameters = [], requestBody } = operation
  const body = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => {
    return `<h2>Body</h2><p><code>${escapedHtml(type)}</code></p>${schema === undefined ? '' : schemaTable(document, schema)}`
  })
  const main = `<h1>${escapedHtml(summary)}</h1>
<p class="call"><span class="method">${method}</span> <code>/v1${escapedHtml(path)}</code></p>
<p>${escapedHtml(description)}</p>
${parameters.length === 0 ? '' : `<h2>Parameters</h2>${parameterTable(parameters)}`}
${body.join('')}
<h2>Replies</h2>
${repliesOf(document, operation)}
${tryForm(operation)}`
  return shell(summary, operations, document, operation, main, samplesAside(operation))
}

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(
    (parameter) =>
      `<tr><th scope="row"><code>${escapedHtml(parameter.name)}</code>${parameter.required ? ' <span class="required">required</span>' : ''}</th><td>${parameter.in}</td><td>${escapedHtml(parameter.description ?? parameter.schema.description ?? '')}${valuesOf(parameter)}</td></tr>`,
  )
  return `<table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function valuesOf({ schema }: Parameter): string {
  return schema.enum === undefined ? '' : ` ${schema.enum.map((value) => `<code>${escapedHtml(String(value))}</code>`).join(' ')}`
}

function repliesOf(document: Described, { responses }: Operation): string {
  return Object.entries(responses)
    .map(([status, response]) => {
      const named = response.$ref === undefined ? response : (document.components.responses[nameOf(response.$ref)] ?? response)
      const codes = Object.keys(named.content?.['application/json']?.examples ?? {}).filter(
        (code) => Number(status) >= 400 && code !== 'recorded',
      )
      const schema = Number(status) < 300 ? Object.values(named.content ?? {})[0]?.schema : undefined
      const inner = schema === undefined ? '' : `<details><summary>Members of the reply</summary>${schemaTable(document, schema)}</details>`
      return `<section class="reply"><h3>${status}</h3><p>${escapedHtml(named.description ?? '')} ${codes.map((code) => `<code>${escapedHtml(code)}</code>`).join(' ')}</p>${inner}</section>`
    })
    .join('')
}

const LANGUAGES = { curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const

function samplesAside(operation: Operation): string {
  const samples = samplesOf(operation)
  const names = Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]
  const choices = names.map((name) => `<label><input type="radio" name="language" value="${name}"> ${LANGUAGES[name]}</label>`)
  const blocks = names.map(
    (name) =>
      `<figure data-language="${name}"><figcaption>${LANGUAGES[name]}</figcaption><pre><code>${escapedHtml(samples[name])}</code></pre></figure>`,
  )
  const [status, response] = Object.entries(operation.responses).find(([code]) => Number(code) < 300) ?? []
  const reply = exampleOf(response?.content)
  const shown =
    reply === undefined
      ? ''
      : `<h2>Reply ${status}</h2><pre><code>${escapedHtml(typeof reply.value === 'string' ? reply.value : JSON.stringify(reply.value, null, 2))}</code></pre>`
  return `<aside aria-label="Samples"><h2>Request</h2><fieldset class="languages" hidden><legend>Language</legend>${choices.join('')}</fieldset>${blocks.join('')}${shown}</aside>`
}

/** A form that a script makes work; without scripts it is not shown. */
function tryForm({ method, path, parameters = [], requestBody }: Operation): string {
  const fields = parameters
    .filter((parameter) => parameter.in !== 'header')
    .map(
      ({ in: where, name, required }) =>
        `<label>${escapedHtml(name)} <input name="${where}:${escapedHtml(name)}"${required ? ' required' : ''} autocomplete="off"></label>`,
    )
  const example = exampleOf(requestBody?.content)
  const isJson = requestBody?.content['application/json'] !== undefined
  const body = isJson
    ? `<label>Body <textarea name="body" rows="12" spellcheck="false">${escapedHtml(JSON.stringify(example?.value ?? {}, null, 2))}</textarea></label>`
    : ''
  if (requestBody !== undefined && !isJson) return ''
  return `<section id="try" hidden><h2>Try it</h2>
<p id="who">Not signed in.</p>
<form data-method="${method}" data-path="/v1${escapedHtml(path)}">
<label>Token <input name="token" type="password" autocomplete="off"></label>
${fields.join('\n')}${body}
<button>Send ${method}</button>
</form>
<div role="status"><pre><code id="answer"></code></pre></div></section>`
}

function shell(
  title: string,
  operations: readonly Operation[],
  document: Described,
  current: Operation | undefined,
  main: string,
  aside: string,
): string {
  const groups = groupsOf(document, operations).map(({ name, operations: own }) => {
    const links = own.map(
      ({ operationId, summary }) =>
        `<li><a href="/docs/${operationId}"${operationId === current?.operationId ? ' aria-current="page"' : ''}>${escapedHtml(summary)}</a></li>`,
    )
    return `<details${current?.tags.includes(name) ? ' open' : ''}><summary>${escapedHtml(name)}</summary><ul>${links.join('')}</ul></details>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapedHtml(title)} · Order Marketplace</title>
<link rel="stylesheet" href="/docs/reference.css">
<script type="module" src="/docs/reference.js"></script>
</head>
<body>
<header><a class="home" href="/">Order Marketplace</a> <a href="/docs">API reference</a> <a href="/console/">Console</a></header>
<nav aria-label="Operations"><label id="find" hidden>Find <input type="search" autocomplete="off"></label>${groups.join('')}</nav>
<main>${main}</main>
${aside}
</body>
</html>
`
}
