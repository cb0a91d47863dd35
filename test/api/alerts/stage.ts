import { startKeyMaintenance } from '../../../services/key-maintenance/start.ts';
import { startSettingsWorker } from '../../../services/settings/start.ts';
import { startReceiver, type Receiver } from '../../key-maintenance/notify-support.ts';
import { startMailServer, storeMailServer, type MailServer } from '../../settings/support/mail-server.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';

/** An installation whose alerts reach a webhook and a mail server, which refuses all addresses that begin with `refused`. */
export type AlertStage = {
  sealift: Sealift;
  receiver: Receiver;
  mail: MailServer;
  stop: () => Promise<void>;
};

/** `environment`: more settings, made from the URL of the webhook. */
export async function openAlertStage(
  environment: (webhook: string) => Record<string, string> = () => ({}),
): Promise<AlertStage> {
  const receiver = await startReceiver();
  const mail = await startMailServer({
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith('refused')
        ? done(Object.assign(new Error('5.1.1 No such user'), { responseCode: 550 }))
        : done(),
  });
  const sealift = await startSealift({
    workers: { settings: startSettingsWorker, maintenance: startKeyMaintenance },
    environment: { EGRESS_ALLOW: '127.0.0.0/8', ...environment(receiver.url) },
  });
  await storeMailServer(sealift.context.db, mail);
  const stop = async (): Promise<void> => {
    await sealift.stop();
    await receiver.close();
    await mail.close();
  };
  return { sealift, receiver, mail, stop };
}
