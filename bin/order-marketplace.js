#!/usr/bin/env node
import { existsSync } from 'node:fs'

// A checkout runs its sources, so that they are never older than what runs; an installed package has only what was built.
const source = new URL('../src/commandLine/main.ts', import.meta.url)
if (existsSync(source)) {
  const { register } = await import('tsx/esm/api')
  register()
}
await import(existsSync(source) ? source.href : new URL('../dist/src/commandLine/main.js', import.meta.url).href)
