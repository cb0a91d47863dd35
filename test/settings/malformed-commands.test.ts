import { expect } from 'chai';
import { RequestError, reasonOf } from '../../libs/errors/request-error.ts';
import { createCommandCaller, serveCommands, type CommandCaller } from '../../libs/queue/commands.ts';
import { startKeyMaintenance } from '../../services/key-maintenance/start.ts';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const SMTP = '/api/v2/admin/smtp-settings';
const RETENTION = '/api/v2/admin/data-retention-policy-settings';
const KEYS = '/v1/.well-known/jwks';
const SECRET = 'hunter2-in-the-command';

// What another version of the API could send, and the place that a worker must name.
const malformed: { worker: string; name: string; body: unknown; place: string }[] = [
  { worker: 'settings', name: 'update-settings', body: null, place: 'must be object' },
  {
    worker: 'settings',
    name: 'update-settings',
    body: { kind: 'pigeon', attributes: {} },
    place: '/kind must be one of general',
  },
  {
    worker: 'settings',
    name: 'update-settings',
    body: { kind: 'smtp', attributes: SECRET },
    place: '/attributes must be object',
  },
  { worker: 'settings', name: 'revoke-old-certificate', body: { ifMatch: 7 }, place: '/ifMatch' },
  { worker: 'settings', name: 'set-retention-policy', body: { days: SECRET }, place: '/days' },
  { worker: 'settings', name: 'remove-retention-policy', body: 'now', place: 'must be null' },
  { worker: 'settings', name: 'verify-sms', body: {}, place: '/number is required' },
  { worker: 'settings', name: 'send-mail', body: { to: 'a@example.com' }, place: '/subject is required' },
  { worker: 'key-maintenance', name: 'rotate-key', body: {}, place: '/requestId is required' },
  { worker: 'key-maintenance', name: 'trim-key', body: [], place: 'must be object' },
];

describe('commands whose form is wrong', () => {
  let sealift: Sealift;
  let raw: CommandCaller;

  before(async () => {
    sealift = await startSealift({
      workers: { settings: startSettingsWorker, 'key-maintenance': startKeyMaintenance },
    });
    await sealift.start('another API', async ({ broker, ...context }) => {
      raw = createCommandCaller(broker, { ...context, timeoutMs: 5000 });
      broker.start();
      await eventually(() => broker.ready);
      return { stop: async () => undefined };
    });
    await sealift.client.post(RETENTION, {
      data: {
        type: 'data-retention-policy-delete-olders',
        attributes: { 'delete-older-than-n-days': 30 },
      },
    });
  });
  after(() => sealift.stop());

  const state = async (): Promise<string[]> =>
    Promise.all([SMTP, RETENTION, KEYS].map(async (path) => (await sealift.client.get(path)).text));

  for (const { worker, name, body, place } of malformed) {
    it(`the ${worker} worker refuses ${name} with ${JSON.stringify(body)}, and does nothing`, async () => {
      const before = await state();
      const error = await raw.call(worker, { name, body }).catch((thrown: unknown) => thrown);
      if (!(error instanceof RequestError)) throw new Error('the command should have been refused');
      expect(error).to.include({ status: 400, code: 'bad_request' });
      expect(reasonOf(error))
        .to.include(`the command ${name} is malformed (`)
        .and.include(place)
        .and.match(/; nothing was done$/)
        .and.not.include(SECRET);
      expect(await state()).to.deep.equal(before);
    });
  }

  it('a result in another form than the API knows is no success: the change may have been made', async () => {
    const other = await startSealift();
    await other.start('another worker', async ({ broker, ...context }) => {
      const handlers = { 'verify-sms': async () => 7, 'update-settings': async () => ({ changes: SECRET }) };
      const server = serveCommands(broker, { ...context, worker: 'settings', handlers });
      broker.start();
      await eventually(() => broker.ready);
      return { stop: () => server.stop() };
    });
    try {
      const answer = await other.client.patch(SMTP, { data: { attributes: { host: 'mail.example' } } });
      expect(answer.status, answer.text).to.equal(503);
      expect(answer.text)
        .to.include('answered the command update-settings in a form that is unknown here')
        .and.include('the change may have been made')
        .and.not.include(SECRET);
    } finally {
      await other.stop();
    }
  });
});
