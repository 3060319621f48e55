import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'

interface Component {
  name: string
  version: string
  purl: string
  hashes?: object[]
  licenses?: object[]
  properties?: { name: string }[]
}

interface Bom {
  bomFormat: string
  specVersion: string
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

it('npm run sbom prints a CycloneDX bill of every direct dependency, and says which ones are for development alone', () => {
  const bom = JSON.parse(
    execFileSync('npm', ['run', '-s', 'sbom'], { encoding: 'utf8', maxBuffer: 64 << 20, stdio: ['ignore', 'pipe', 'ignore'] }),
  ) as Bom
  expect([bom.bomFormat, bom.specVersion]).toEqual(['CycloneDX', '1.5'])
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> }
  for (const name of Object.keys(dependencies)) {
    const component = bom.components.find((one) => one.name === name)
    expect(component).toMatchObject({ purl: `pkg:npm/${name.replace('@', '%40')}@${component?.version}`, hashes: [{ alg: 'SHA-512' }] })
    expect(component?.licenses).toHaveLength(1)
  }
  const isDevelopment = (one: Component) => one.properties?.some((property) => property.name === 'cdx:npm:package:development') ?? false
  const developed = (name: string) => bom.components.filter((one) => one.name === name).map(isDevelopment)
  for (const name of Object.keys(dependencies)) expect([name, developed(name)]).toEqual([name, expect.arrayContaining([false])])
  expect(developed('jest')).toEqual([true])
  expect(bom.dependencies.length).toBeGreaterThan(bom.components.length / 2)
})

it('no package may run a script at the install, on any platform', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, { hasInstallScript?: true }> }
  const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { allowScripts: Record<string, boolean> }
  const wanting = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript ? [path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)] : [],
  )
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(wanting)].sort())
  expect(Object.values(allowScripts).some(Boolean)).toBe(false)
})
