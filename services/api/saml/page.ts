/** The end of a login in a browser: a page that shows the token once. Nothing of it is ever in an address. */
export function loginPage(token: string, shown: Record<string, unknown>): string {
  const rows = Object.entries(shown).map(
    ([name, value]) =>
      `<dt>${escapeHtml(name)}</dt><dd><pre>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre></dd>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sealift: logged in</title></head>
<body><h1>Logged in</h1>
<p>This is your session token. Copy it now: it is not shown again.</p>
<p><code id="token">${escapeHtml(token)}</code></p>
<dl>${rows.join('')}</dl>
</body></html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
