/** A history as JSON without the name of the machine, which the queue of a worker's own carries too, and the paths on it. */
export function anonymous(history: string): string {
  const hide = (key: string, value: unknown) => {
    if (key === 'identity') return 'recorder'
    if (key === 'stackTrace') return ''
    return key === 'name' && /^\d+@/.test(String(value)) ? 'recorder' : value
  }
  return JSON.stringify(JSON.parse(history, hide), null, 1)
}
