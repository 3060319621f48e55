import { Button, type ButtonProps } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import classes from './Popup.module.css'

interface PopupProps extends Pick<ButtonProps, 'variant' | 'rightSection'> {
  readonly role: 'dialog' | 'menu'
  /** The accessible name of the popup. */
  readonly label: string
  /** The content of the button. */
  readonly button: ReactNode
  readonly children: ReactNode
}

/** A button with a popup below it. The browser closes the popup at Escape or an outside click, and returns the focus to the button. */
export function Popup({ role, label, button, children, ...look }: PopupProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="xs" variant="default" popoverTarget={id} aria-haspopup={role} {...look}>
        {button}
      </Button>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: dialogs and menus have names */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it is a dialog or a menu */}
      <div
        id={id}
        popover="auto"
        role={role}
        aria-label={label}
        className={`${classes.popup} ${role === 'menu' ? classes.menu : classes.dialog}`}
        onToggle={({ newState }) => setOpen(newState === 'open')}
        onBlur={({ relatedTarget, currentTarget }) => closeBehind(currentTarget, relatedTarget)}
      >
        {isOpen && <div ref={focusFirst}>{children}</div>}
      </div>
    </>
  )
}

/** Closes the popup when the focus leaves it, since it covers even dialogs. Its own button is exempt, since it closes the popup itself. */
function closeBehind(popup: HTMLElement, focused: Element | null): void {
  if (focused === null || popup.contains(focused) || focused.getAttribute('popovertarget') === popup.id) return
  popup.hidePopover()
}

function focusFirst(within: HTMLElement | null): void {
  within?.querySelector<HTMLElement>('input, select, button:enabled')?.focus()
}

interface MenuItemProps {
  readonly onClick: () => void
  readonly disabled?: boolean
  readonly children: ReactNode
}

/** An action in a popup menu. */
export function MenuItem({ onClick, disabled = false, children }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={classes.item}
      disabled={disabled}
      onKeyDown={moveInMenu}
      onClick={({ currentTarget }) => {
        onClick()
        closeMenu(currentTarget)
      }}
    >
      {children}
    </button>
  )
}

function moveInMenu(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget } = event
  // Tab closes the menu, and the focus moves on from the button.
  if (key === 'Tab') {
    closeMenu(currentTarget)
    return
  }
  const items = [...(currentTarget.parentElement?.querySelectorAll<HTMLElement>('[role=menuitem]:enabled') ?? [])]
  const at = items.indexOf(currentTarget)
  const places: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
  const to = places[key]
  if (to === undefined) return
  event.preventDefault()
  items.at(to % items.length)?.focus()
}

function closeMenu(item: Element): void {
  item.closest<HTMLElement>('[popover]')?.hidePopover()
}
