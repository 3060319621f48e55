import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { ROOT } from '../../src/config/root.ts'
import { ENDPOINTS } from '../../src/contract/endpoints/groups.ts'

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** The labels of each metric, as docs/operate/metrics.md has them from the code. */
const LABELS = new Map(
  [...textOf('docs/operate/metrics.md').matchAll(/^\| `(\w+)` \| \w+ \| (.*?) \|/gm)].map(([, name = '', labels = '']) => [
    name,
    [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
  ]),
)
/** What Prometheus adds to every series, and histograms to theirs. */
const OF_EVERY_SERIES = ['job', 'instance', 'le']

interface Asked {
  readonly expr: string
  readonly legendFormat?: string
}

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly Asked[] }[]
}

const dashboards = readdirSync(join(ROOT, 'docker/grafana/dashboards')).map(
  (file) => JSON.parse(textOf(`docker/grafana/dashboards/${file}`)) as Dashboard,
)
const { groups } = parse(textOf('docker/prometheus/rules.yml')) as { groups: { rules: Asked[] }[] }
const ASKED = [...dashboards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets)), ...groups.flatMap(({ rules }) => rules)]

const labelsOf = (metric: string): readonly string[] | undefined =>
  LABELS.get(metric) ?? LABELS.get(metric.replace(/_(bucket|sum|count)$/, ''))

/** Labels by which an expression selects, with the metric whose labels they are to be. */
function selected(expr: string): { metric: string; label: string }[] {
  const selectors = expr.replace(/"[^"]*"/g, '""').matchAll(/(\w+)\{([^}]*)\}/g)
  return [...selectors].flatMap(([, metric = '', matchers = '']) =>
    [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => ({ metric, label })),
  )
}

/** Labels that its result has by `by`; undefined without one. */
function grouped(expr: string): string[] | undefined {
  const groups = [...expr.matchAll(/\bby \(([^)]*)\)/g)]
  return groups.length === 0 ? undefined : groups.flatMap(([, labels = '']) => labels.split(',').map((label) => label.trim()))
}

describe('what watches the marketplace', () => {
  it('selects by labels that the metrics have', () => {
    const wrong = ASKED.flatMap(({ expr }) => selected(expr)).filter(
      ({ metric, label }) => !(labelsOf(metric) ?? OF_EVERY_SERIES).concat(OF_EVERY_SERIES).includes(label),
    )
    expect(wrong).toEqual([])
    expect(ASKED.flatMap(({ expr }) => selected(expr)).length).toBeGreaterThan(10)
  })

  it('groups and names its series by labels that they have', () => {
    for (const { expr, legendFormat = '' } of ASKED) {
      const there = [...(expr.match(/\w+/g) ?? []).flatMap((word) => labelsOf(word) ?? []), ...OF_EVERY_SERIES]
      const by = grouped(expr)
      expect({ expr, unknown: (by ?? []).filter((label) => !there.includes(label)) }).toEqual({ expr, unknown: [] })
      const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
      expect({ expr, unnamed: named.filter((label) => !(by ?? there).includes(label)) }).toEqual({ expr, unnamed: [] })
    }
  })

  it('asks for routes of endpoints', () => {
    const texts = [...ASKED.map(({ expr }) => expr), textOf('docker/prometheus/rules.test.yml')]
    const routes = texts.flatMap((text) => [...text.matchAll(/\broute(?:=~|!~|!=|=)"([^"]+)"/g)].map(([, route = '']) => route))
    expect(routes.length).toBeGreaterThan(3)
    const isServed = (route: string) => ENDPOINTS.some(({ path }) => new RegExp(`^(?:${route})$`).test(`/v1${path}`))
    expect([...new Set(routes)].filter((route) => !isServed(route))).toEqual([])
  })
})
