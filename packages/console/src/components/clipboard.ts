// Copies a text, also in a browser that has no clipboard for scripts or refuses it to this page: there
// the text is selected in a field out of sight and copied as by hand.
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
  // White space is copied as it is shown: of a class that folds it a snippet would lose its indentation.
  Object.assign(field.style, { position: 'fixed', insetBlockStart: '0', opacity: '0' })
  // Beside the button: a dialog lets the focus go nowhere else.
  const place = before?.parentElement ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return isCopied
}
