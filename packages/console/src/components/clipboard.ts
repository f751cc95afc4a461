// Copies a text. Where the browser has no clipboard for scripts, or refuses it to this page, the text is
// selected in an invisible field and copied as by hand.
export async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  // Styled here and not by `.visually-hidden`, which folds white space: a snippet would lose its indentation.
  Object.assign(field.style, { position: 'fixed', insetBlockStart: '0', opacity: '0' })
  // Beside the button, because a dialog keeps the focus inside itself.
  const place = before?.parentElement ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return isCopied
}
