import type { Locator } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';

/** Withdraws what was decided about a link. The button is away for a moment whenever an attempt runs. */
export async function withdraw(status: Locator, done: string): Promise<void> {
  await eventually(async () => {
    await status.getByRole('button', { name: 'Withdraw', exact: true }).click({ timeout: 1000 });
    await status.getByText(done, { exact: true }).waitFor({ timeout: 5000 });
    return true;
  });
}
