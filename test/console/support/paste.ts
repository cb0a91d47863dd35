import type { Locator } from 'playwright-core';

/** Pastes a text from the clipboard of the system into a field. The page needs the permissions of the clipboard. */
export async function paste(field: Locator, text: string): Promise<void> {
  await field.focus();
  await field.page().evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await field.press('Control+v');
}
