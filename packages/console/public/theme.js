// Runs before the first paint, so that a chosen theme never flashes in the other one. A file of its
// own, because the page's policy forbids inline scripts.
try {
  const theme = localStorage.getItem('mnemograph-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is blocked: the system's preference holds.
}
