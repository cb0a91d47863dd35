import type { Database } from '../../db/connect.ts';
import { insertNotifications, type Channel } from './notifications.ts';

/** The kind of a notification that only tests a rule. */
export const TEST = 'alert.test';

/** The code of a test that did not arrive. */
export const TEST_FAILED = 'test_failed';

/** One message of a test. `recipient`: an address, or the host of the webhook that was tried. */
export type TriedMessage = { messageId: string; recipient: string; ok: boolean; detail: string };

/** Records a test of a rule as deliveries that are never tried again. */
export async function insertTest(
  transaction: Database,
  test: { id: string; ruleId: number; at: Date; data: Record<string, unknown> },
  { channel, messages }: { channel: Channel['channel']; messages: TriedMessage[] },
): Promise<void> {
  const { id, ruleId, at, data } = test;
  await insertNotifications(transaction, [{ id, kind: TEST, happenedAt: at, data }]);
  await transaction('alert_deliveries').insert(
    messages.map(({ messageId, recipient, ok, detail }) => ({
      rule_id: ruleId,
      notification_id: id,
      channel,
      recipient,
      message_id: messageId,
      queued_at: at,
      attempts: 1,
      tried_at: at,
      delivered_at: ok ? at : null,
      error: ok ? null : TEST_FAILED,
      detail,
    })),
  );
}
