/** How the pages of a sign-in look: like the console, without loading anything of it. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d9dee6, #2b343f); --muted: light-dark(#4d5766, #a7b1bf); }
* { box-sizing: border-box; }
body { margin: 0; padding: 16px; background: light-dark(#f6f7f9, #0e1116); color: light-dark(#171b21, #e7eaef);
  font: 400 0.9375rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 8px 24px 16px; overflow-wrap: anywhere;
  background: light-dark(#ffffff, #151a21); border: 1px solid var(--line); border-radius: 8px; }
h1 { font-size: 1.25rem; }
h2 { font-size: 1rem; }
a { color: light-dark(#2456c9, #8bb1ff); }
dt { margin-top: 12px; color: var(--muted); }
dd { margin: 0; }
pre, code { font: 0.875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; }
pre { margin: 0; }
summary { cursor: pointer; }
footer { color: var(--muted); }
`;
