import type { Locator } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';

/** Withdraws what was decided about a link. The button is away for a moment whenever an attempt runs. */
export async function withdraw(status: Locator, done: string): Promise<void> {
  await eventually(async () => {
    const button = status.getByRole('button', { name: 'Withdraw', exact: true });
    // A click that is not confirmed in time may have been made.
    await button.click({ timeout: 1000 }).catch(() => undefined);
    await status.getByText(done, { exact: true }).waitFor({ timeout: 5000 });
    return true;
  });
}
