import { writeFile } from 'node:fs/promises'
import { sampleDocuments } from './sampleDocuments.ts'

/** `npm run docs:edi` writes the sample documents of docs/buy/receiving-edi.md. */
for (const [name, content] of Object.entries(await sampleDocuments())) {
  await writeFile(new URL(`../../../docs/examples/edi/${name}`, import.meta.url), content)
}
