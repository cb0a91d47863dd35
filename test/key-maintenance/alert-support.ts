import { expect } from 'chai';
import type { MaintenanceServices } from '../../services/key-maintenance/job.ts';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { startMailServer, storeMailServer, type MailServer } from '../settings/support/mail-server.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { runNow, startMaintenance } from './support.ts';

export const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const VALUE = 'hunter2-the-value';

const MINUTE = 60_000;

/** An installation with a mail server, some linked secrets that never really sync, and a maintenance worker without its clock. */
export type AlertScene = {
  sealift: Sealift;
  services: MaintenanceServices;
  mail: MailServer;
  /** Runs the job at a time. */
  notifyAt: (now: Date) => ReturnType<typeof runNow>;
  /** The same some minutes after the start. */
  notify: (minutes: number) => ReturnType<typeof runNow>;
  link: (name: string, destination?: string, namespace?: string) => Promise<void>;
  fail: (name: string, code?: string) => Promise<void>;
  heal: (name: string) => Promise<void>;
  write: (name: string, fields: object, namespace?: string) => Promise<void>;
  stop: () => Promise<void>;
};

export async function openAlertScene(
  environment: Record<string, string> = {},
  options: { seesWorkers?: boolean } = {},
): Promise<AlertScene> {
  const mail = await startMailServer({ disabledCommands: ['STARTTLS'] });
  const sealift = await startSealift({
    workers: { settings: startSettingsWorker },
    environment: { EGRESS_ALLOW: '127.0.0.0/8', ...environment },
  });
  const services = await startMaintenance(sealift, options);
  const start = Date.now() - 10 * MINUTE;
  await storeMailServer(services.db, mail);
  const made = new Set<string>();
  const make = async (path: string, body: object, headers: Record<string, string>): Promise<void> => {
    const key = `${headers['x-vault-namespace'] ?? ''} ${path}`;
    if (made.has(key)) return;
    made.add(key);
    const answer = await sealift.client.post(path, body, { headers });
    expect(answer.status, answer.text).to.be.below(300);
  };
  const notifyAt = (now: Date) => runNow(services, 'notify', { now });
  const set = (name: string, fields: object) =>
    services.db('associations').where({ secret_path: name }).update(fields);
  return {
    sealift,
    services,
    mail,
    notifyAt,
    notify: (minutes) => notifyAt(new Date(start + minutes * MINUTE)),
    link: async (name, destination = 'cloud1-sm/prod', namespace = '') => {
      const headers: Record<string, string> = namespace ? { 'x-vault-namespace': namespace } : {};
      if (namespace) await make(`/v1/sys/namespaces/${namespace}`, {}, {});
      await make('/v1/sys/mounts/kv', { type: 'kv-v2' }, headers);
      const path = `/v1/sys/sync/destinations/${destination}`;
      const settings = { access_key_id: 'AKIA', secret_access_key: VALUE, region: 'eu-west-1' };
      await make(path, settings, headers);
      await make(`/v1/kv/data/${name}`, { data: { password: VALUE } }, headers);
      const body = { mount: 'kv', secret_name: name };
      const answer = await sealift.client.post(`${path}/associations/set`, body, {
        headers: { ...headers, prefer: 'respond-async' },
      });
      expect(answer.status, answer.text).to.equal(200);
    },
    fail: async (name, code = 'permission_missing') => {
      const failure = JSON.stringify({ class: 'CLIENT_SIDE_ERROR', code, message: 'No right.' });
      await set(name, { failure });
    },
    heal: async (name) => {
      await set(name, { failure: null, due_at: null });
    },
    write: async (name, fields, namespace = '') => {
      const headers: Record<string, string> = namespace ? { 'x-vault-namespace': namespace } : {};
      const answer = await sealift.client.post(`/v1/sys/alerts/${name}`, fields, { headers });
      expect(answer.status, answer.text).to.equal(200);
    },
    stop: async () => {
      await sealift.stop();
      await mail.close();
    },
  };
}
