import type { Badge } from '../runSuite.ts'
import type { StoryResult } from '../story.ts'

/** Returns the level that stories earned: of a level each story passed or was not applicable, and at least one passed. */
export function earned(stories: readonly StoryResult[], declared: number, date: string): Badge {
  let level: number | null = null
  for (let next = 0; next <= declared; next += 1) {
    const own = stories.filter((story) => story.level === next)
    const isEarned =
      own.some(({ grade }) => grade === 'passed') && own.every(({ grade }) => grade === 'passed' || grade === 'not_applicable')
    if (!isEarned) break
    level = next
  }
  return { level, date }
}

/** Returns the badge as a picture. */
export function badgeSvg({ level, date }: Badge): string {
  const text = level === null ? `no level, ${date}` : `level ${level}, ${date}`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="270" height="22" role="img" aria-label="Order Marketplace: ${text}">
<rect width="270" height="22" rx="4" fill="#20242c"/><rect x="130" width="140" height="22" rx="4" fill="${level === null ? '#6b7280' : '#2b6a4d'}"/>
<g fill="#ffffff" font-family="system-ui, sans-serif" font-size="12"><text x="8" y="15">Order Marketplace</text><text x="140" y="15">${text}</text></g>
</svg>
`
}
