import { useEffect, useRef, useSyncExternalStore } from 'react'

/** A key, a combination (`mod+Enter`, `shift+j`) or a sequence of two keys (`g q`), and its effect. */
export interface KeyBinding {
  readonly keys: string
  readonly does: string
  readonly run: () => void
}

interface KeyGroup {
  readonly title: string
  readonly bindings: readonly KeyBinding[]
}

let groups: readonly { readonly current: KeyGroup }[] = []
let first: { readonly key: string; readonly at: number } | undefined
const listeners = new Set<() => void>()
const SINGLE_KEYS_OFF = 'console.single-keys-off'
const SEQUENCE_MS = 1_500
/** The keys that act even while the user types into a field. */
const WHILE_TYPING = ['mod+Enter', 'mod+k']

/**
 * Binds keys while the component is mounted. If two groups bind the same key, the one that was mounted last wins. A group with `isEverywhere` loses to
 * every other group.
 */
export function useKeys(title: string, bindings: readonly KeyBinding[], isEverywhere = false): void {
  const group = useRef({ title, bindings })
  group.current = { title, bindings }
  useEffect(() => {
    groups = isEverywhere ? [group, ...groups] : [...groups, group]
    if (groups.length === 1) window.addEventListener('keydown', onKeyDown)
    return () => {
      groups = groups.filter((one) => one !== group)
      if (groups.length === 0) window.removeEventListener('keydown', onKeyDown)
    }
  }, [isEverywhere])
}

/** Returns the current bindings for the key map. */
export function boundKeys(): readonly KeyGroup[] {
  return groups.map(({ current }) => current).filter(({ bindings }) => bindings.length > 0)
}

/** Keys without a modifier can be turned off, since speech input may type them (WCAG 2.1.4). */
export function useSingleKeys(): readonly [boolean, (on: boolean) => void] {
  const on = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => localStorage.getItem(SINGLE_KEYS_OFF) === null,
  )
  return [on, setSingleKeys]
}

function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(SINGLE_KEYS_OFF)
  else localStorage.setItem(SINGLE_KEYS_OFF, 'true')
  for (const listener of listeners) listener()
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const pressed = combination(event)
  // A key that is held down sends only once.
  if (event.repeat && pressed === 'mod+Enter') {
    event.preventDefault()
    return
  }
  // Undo, removal and other editing keys belong to the text field.
  if (isTyping(event.target) && !WHILE_TYPING.includes(pressed)) return
  const isModified = pressed.startsWith('mod+')
  if (!isModified && (isTaken(event) || localStorage.getItem(SINGLE_KEYS_OFF) !== null)) return
  // A dialog has its own keys; no binding beneath it runs, wherever the focus is.
  if (document.querySelector('[role=dialog][aria-modal=true]') !== null) return
  const sequence = first !== undefined && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${pressed}` : undefined
  first = undefined
  const binding = (sequence === undefined ? undefined : find(sequence)) ?? find(pressed)
  if (binding !== undefined) {
    event.preventDefault()
    binding.run()
  } else if (groups.some(({ current }) => current.bindings.some(({ keys }) => keys.startsWith(`${pressed} `)))) {
    first = { key: pressed, at: event.timeStamp }
  }
}

function find(keys: string): KeyBinding | undefined {
  for (const { current } of groups.toReversed()) {
    const binding = current.bindings.find((one) => one.keys === keys)
    if (binding !== undefined) return binding
  }
  return undefined
}

function combination({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  if (altKey) return `alt+${key}`
  if (ctrlKey || metaKey) return `mod+${key.length === 1 ? key.toLowerCase() : key}`
  // Of other characters, shift is part of the character: `?` is bound as `?`.
  const isShifted = shiftKey && (key.startsWith('Arrow') || (key.length === 1 && key !== key.toLowerCase()))
  return isShifted ? `shift+${key.length === 1 ? key.toLowerCase() : key}` : key
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type)
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  )
}

/** Enter and space on a control act on that control; arrows move inside a group of radio buttons. */
function isTaken({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false
  if (key === 'Enter' || key === ' ') return target.closest('button, a, summary, input') !== null
  return key.startsWith('Arrow') && target.closest('input[type=radio], [role=radiogroup], [role=menu], [role=listbox]') !== null
}

/** `mod` is Cmd on a Mac and Ctrl elsewhere. */
export function shownKeys(keys: string): string[] {
  const mod = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl'
  return keys.split(/[ +]/).map((key) => (key === 'mod' ? mod : (SHOWN[key] ?? key)))
}

const SHOWN: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc', shift: 'Shift' }
