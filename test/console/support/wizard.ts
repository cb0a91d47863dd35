import type { Page } from 'playwright-core';

/** Fills in the name and the credentials of a new destination of AWS that its stand-in accepts. */
export async function fillCloud1(
  page: Page,
  name: string,
  { region = 'eu-central-1', key = 'AKIAEXAMPLEONE', secret = 'a-secret-key' } = {},
): Promise<void> {
  await page.getByLabel('Destination name').fill(name);
  await page.getByLabel('Access key ID', { exact: true }).fill(key);
  await page.getByLabel('Secret access key', { exact: true }).fill(secret);
  await page.getByLabel('Region', { exact: true }).fill(region);
}

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
