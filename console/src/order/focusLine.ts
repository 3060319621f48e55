/** Focuses the first element in a line's rows that matches one of the selectors, after the rows have been rendered. */
export function focusLine(unitId: string, ...selectors: readonly string[]): void {
  // What stands there already is focused at once, so that the next key goes to it.
  if (!focused(unitId, selectors.slice(0, 1))) requestAnimationFrame(() => focused(unitId, selectors))
}

function focused(unitId: string, selectors: readonly string[]): boolean {
  const rows = `tr[data-line="${CSS.escape(unitId)}"]`
  const found = selectors.map((selector) => document.querySelector<HTMLElement>(`${rows} ${selector}`)).find((element) => element !== null)
  found?.focus()
  if (found instanceof HTMLInputElement && found.type !== 'radio') found.select()
  return found !== undefined
}

/** Selectors of a counter's editor, which passes the focus on to a field, and of its price field. */
export const EDITOR = '[data-editor]'
export const PRICE = 'input[data-price]'
