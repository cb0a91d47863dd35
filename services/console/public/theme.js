// Before the first paint, so that nothing flashes.
try {
  const theme = localStorage.getItem('sealift-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is switched off: the system's theme it is.
}
