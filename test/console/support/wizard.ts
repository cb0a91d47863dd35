import type { Page } from 'playwright-core';

/** Goes from the credentials of a new destination to the page of its options. */
export async function continueToOptions(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Sync options' }).waitFor();
}

/** Goes from the options of a new destination to the choice of its secrets. */
export async function continueToSecrets(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Secrets to link' }).waitFor();
}
