const CLIPBOARD_MS = 60_000;

const STILL_THERE = 'The clipboard still holds the value. Copy something else.';
const REFUSED = 'Not copied: allow this site to use the clipboard in your browser, and try again.';

/** What became of a copy, and what to tell the user about it. */
export type CopyResult = { isCopied: boolean; note: string };

/** Puts a text on the clipboard. */
export async function copyText(text: string): Promise<CopyResult> {
  try {
    await navigator.clipboard.writeText(text);
    return { isCopied: true, note: 'Copied.' };
  } catch {
    return { isCopied: false, note: REFUSED };
  }
}

/** Puts a secret on the clipboard for a minute. `tell` gets the result, first of copying and then of clearing. Resolves to whether it was copied. */
export async function copySecret(text: string, tell: (note: string) => void): Promise<boolean> {
  const { isCopied, note } = await copyText(text);
  tell(note);
  if (!isCopied) return false;
  tell('Copied. The clipboard will be cleared in 1 min if this page is focused.');
  setTimeout(() => void clearClipboard().then(tell), CLIPBOARD_MS);
  return true;
}

// A page without the focus may not write to the clipboard.
async function clearClipboard(): Promise<string> {
  if (!document.hasFocus()) return STILL_THERE;
  const { isCopied } = await copyText('');
  return isCopied ? 'Clipboard cleared.' : STILL_THERE;
}
