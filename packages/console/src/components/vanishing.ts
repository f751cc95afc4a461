// Where the focus of the keyboard goes when what has it vanishes; else it would be at the beginning of the
// page. Places are named by their ids, for some of them belong to another part of the page.
import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Of a page, on its heading. */
export const PAGE_TITLE = 'title'

export const focusOn = (id: string, options?: FocusOptions) =>
  document.getElementById(id)?.focus(options)

let isTitleAwaited = false

/** For a way to another page that has been found: the focus goes to its heading as soon as there is one. */
export function focusOnNextTitle() {
  isTitleAwaited = true
}

/** Told by a page that has just come. */
export function takeTitleFocus() {
  // Where the page begins is the router's to decide, and on the way back the browser's.
  if (isTitleAwaited) focusOn(PAGE_TITLE, { preventScroll: true })
  isTitleAwaited = false
}

/** For what closes meanwhile and would give the focus back; the page may have come before it. */
export const isBoundForTitle = () => isTitleAwaited || document.activeElement?.id === PAGE_TITLE

/** While the item is still there. Whoever is elsewhere by now is left there. */
export function leaveItem(itemId: string, id: string) {
  if (document.getElementById(itemId)?.contains(document.activeElement)) focusOn(id)
}

/**
 * For a part of a page that may vanish with the focus in it, which then goes to the dialog or the panel
 * around it, or else to the heading of the page.
 */
export function useHandOn<Part extends HTMLElement>(): RefObject<Part | null> {
  const part = useRef<Part>(null)
  useLayoutEffect(() => {
    const element = part.current
    return () => {
      if (!element?.contains(document.activeElement)) return
      const around = element.closest<HTMLElement>('[role="dialog"], [role="alertdialog"], aside')
      const place = around ?? document.getElementById(PAGE_TITLE)
      place?.focus({ preventScroll: true })
    }
  }, [])
  return part
}

/**
 * For a dialog that may delete an item of a list: told so while the item is there, it leaves the focus on
 * what stands first in the next item, in the one before, or on what has the other id; else it gives it back.
 * Items begin with something harmless, for the key that was pressed may still be held.
 */
export function useNextFocus() {
  const next = useRef<HTMLElement>(null)
  const moveBeside = (itemId: string, id: string) => {
    next.current = besideItem(itemId) ?? document.getElementById(id)
  }
  const finalFocus = () => {
    const place = next.current
    next.current = null
    return place
  }
  return { moveBeside, finalFocus }
}

function besideItem(id: string) {
  const item = document.getElementById(id)
  return firstOf(item?.nextElementSibling) ?? firstOf(item?.previousElementSibling)
}

/** What stands first in the item, or else what has the other id. */
export const inItem = (itemId: string, id: string) =>
  firstOf(document.getElementById(itemId)) ?? document.getElementById(id)

const firstOf = (item: Element | null | undefined) =>
  item?.querySelector<HTMLElement>('a, button') ?? undefined
