// Where the keyboard's focus goes when the element that has it vanishes; otherwise it would fall back to the
// beginning of the page. Places are named by their ids, since some belong to other components.
import { type RefObject, useLayoutEffect, useRef } from 'react'

/** The id of each page's heading. */
export const PAGE_TITLE = 'title'

export const focusOn = (id: string, options?: FocusOptions) =>
  document.getElementById(id)?.focus(options)

let isTitleAwaited = false

/** Moves the focus to the heading of the page that comes next, as soon as it is there. */
export function focusOnNextTitle() {
  isTitleAwaited = true
}

/** Called by a page that has just appeared. */
export function takeTitleFocus() {
  // The router decides where the page is scrolled to, or the browser when going back.
  if (isTitleAwaited) focusOn(PAGE_TITLE, { preventScroll: true })
  isTitleAwaited = false
}

/**
 * Whether the next page's heading gets the focus or already has it. Whatever closes meanwhile must then not
 * give the focus back.
 */
export const isBoundForTitle = () => isTitleAwaited || document.activeElement?.id === PAGE_TITLE

/** Moves the focus out of an item that is about to vanish; a focus elsewhere stays where it is. */
export function moveFocusOutOf(itemId: string, id: string) {
  if (document.getElementById(itemId)?.contains(document.activeElement)) focusOn(id)
}

/**
 * For an element that may vanish with the focus in it: the focus then goes to the dialog or panel around it,
 * or else to the page's heading.
 */
export function useFocusHandover<Part extends HTMLElement>(): RefObject<Part | null> {
  const part = useRef<Part>(null)
  useHandover(part)
  return part
}

/** The same for an element whose ref is somebody else's. */
export function useHandover(part: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const element = part.current
    return () => {
      if (!element?.contains(document.activeElement)) return
      const around = element.parentElement?.closest<HTMLElement>(
        '[role="dialog"], [role="alertdialog"], aside',
      )
      const place = around ?? document.getElementById(PAGE_TITLE)
      place?.focus({ preventScroll: true })
    }
  }, [part])
}

/**
 * For a dialog that may delete an item of a list. `moveBeside`, called while the item is still there, has the
 * focus go, once the dialog closes, to the first link or button of the next item, else of the previous one,
 * else to the element `id`. Without that call it goes back to where it was. Items must begin with something
 * harmless, because the key that was pressed may still be held down.
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
  return firstControlOf(item?.nextElementSibling) ?? firstControlOf(item?.previousElementSibling)
}

/** The first link or button of the item, or else the element `id`. */
export const firstInItem = (itemId: string, id: string) =>
  firstControlOf(document.getElementById(itemId)) ?? document.getElementById(id)

const firstControlOf = (item: Element | null | undefined) =>
  item?.querySelector<HTMLElement>('a, button') ?? undefined
