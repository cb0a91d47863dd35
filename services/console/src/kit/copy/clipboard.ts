const CLIPBOARD_MS = 60_000;

/**
 * Puts a secret on the clipboard for a minute. `tell` gets the result, first of copying and then of clearing. Throws if
 * the browser does not allow copying.
 */
export async function copySecret(text: string, tell: (note: string) => void): Promise<void> {
  await navigator.clipboard.writeText(text);
  tell('Copied. The clipboard will be cleared in 1 min if this page is focused.');
  setTimeout(() => void clearClipboard().then(tell), CLIPBOARD_MS);
}

// A page without the focus may not write to the clipboard.
async function clearClipboard(): Promise<string> {
  if (!document.hasFocus()) return 'The clipboard still holds the value. Copy something else.';
  await navigator.clipboard.writeText('');
  return 'Clipboard cleared.';
}
