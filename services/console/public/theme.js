// Runs before the first paint, so that the page does not flash.
try {
  const theme = localStorage.getItem('sealift-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is switched off: the theme of the system applies.
}
