import type { Page } from 'playwright-core';

/** Answers the question of the open dialog with one of its buttons; `typed`: the name that it asks for. */
export async function answerDialog(page: Page, button: string | RegExp, typed?: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  const found = dialog.getByRole('button', { name: button });
  await found.waitFor();
  if (typed !== undefined) await dialog.getByLabel(/Type .* to confirm/).fill(typed);
  await found.click();
  await dialog.first().waitFor({ state: 'detached' });
}
