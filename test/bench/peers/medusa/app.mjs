import { createRequire } from 'node:module'

const { default: start } = createRequire(import.meta.url)('@medusajs/medusa/commands/start')

await start({ directory: import.meta.dirname, host: '127.0.0.1', port: Number(process.env.PORT) })
while (!(await fetch(`http://127.0.0.1:${process.env.PORT}/health`).catch(() => undefined))?.ok)
  await new Promise((done) => setTimeout(done, 50))
process.send({ ready: true })
