import type { BrowserContext, Page } from 'playwright-core';

type Copying = { page: Page; context: BrowserContext };

/** Presses the button that copies an action as curl, and returns what is then in the clipboard. */
export async function copyCurl(watched: Copying, name: string): Promise<string> {
  const button = watched.page.getByTitle(`Copy as curl: ${name}`, { exact: true });
  await button.click();
  // Each button has its own note: another copy may still show one.
  await button.locator('xpath=following-sibling::*[@role="status"]').getByText('Copied.').waitFor();
  return readClipboard(watched);
}

/** What is in the clipboard. The console's own pages may not read it, so another page of the API does. */
export async function readClipboard({ page, context }: Copying): Promise<string> {
  const reader = await context.newPage();
  await reader.goto(new URL('/health/live', page.url()).href);
  const text = String(await reader.evaluate('navigator.clipboard.readText()'));
  await reader.close();
  await page.bringToFront();
  return text;
}
