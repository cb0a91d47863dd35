import type { Fake } from '../../test/sandbox/contract.ts';
import { startCloud1SmFake } from '../../test/sandbox/aws-secrets-manager/fake.ts';
import { startCloud2KvFake } from '../../test/sandbox/azure-key-vault/fake.ts';
import { startCloud3SmFake } from '../../test/sandbox/google-secret-manager/fake.ts';
import { startHostingProjectFake } from '../../test/sandbox/vercel-env/fake.ts';
import { startRepoHostFake } from '../../test/sandbox/github-secrets/fake.ts';
import type { FakeCommand, Stamp } from './fakes.ts';
import { startMoodyProxy } from './moody-proxy.ts';
import { preciseNow } from './statistics.ts';

// The fakes run in their own process, so that they use no time of the bench's or the worker's event loop.
const stamps = new Map<string, Stamp[]>();
const recorder = (type: string) => ({
  answered: ({ operation, target, status }: { operation: string; target: string | null; status: number }) => {
    stamps.get(type)?.push([preciseNow(), operation, target, status]);
  },
});

const google = await startCloud3SmFake(recorder('cloud3-sm'));
const fakes: Record<string, Fake> = {
  'cloud1-sm': await startCloud1SmFake(recorder('cloud1-sm')),
  'cloud2-kv': await startCloud2KvFake(recorder('cloud2-kv')),
  'cloud3-sm': google,
  'hosting-project': await startHostingProjectFake(recorder('hosting-project')),
  'repo-host': await startRepoHostFake({ ...recorder('repo-host'), hourlyLimit: 100_000_000 }),
};
for (const type of Object.keys(fakes)) stamps.set(type, []);
const proxy = await startMoodyProxy(fakes['cloud1-sm']?.url ?? '');

const answers: Record<FakeCommand['do'], (fake: Fake, command: FakeCommand) => unknown> = {
  fault: (fake, { fault }) => (fault ? fake.addFault(fault) : undefined),
  clearFaults: (fake) => fake.clearFaults(),
  reset: (fake) => {
    fake.reset();
    stamps.set(fake.type, []);
  },
  // Empties the ledger of calls too; otherwise it would only grow.
  take: (fake) => {
    const taken = stamps.get(fake.type) ?? [];
    stamps.set(fake.type, []);
    const refused = fake.refusedCalls();
    fake.clearCalls();
    return { stamps: taken, refused };
  },
  count: (fake) => stamps.get(fake.type)?.length ?? 0,
};

process.on('message', (command: FakeCommand) => {
  const fake = fakes[command.type];
  const result = fake && answers[command.do](fake, command);
  process.send?.({ id: command.id, result: result ?? null });
});
process.on('disconnect', () => {
  void Promise.allSettled(Object.values(fakes).map((fake) => fake.close())).then(() => process.exit(0));
});

const addresses = Object.fromEntries(
  Object.entries(fakes).map(([type, fake]) => [type, { url: fake.url, details: fake.details ?? {} }]),
);
Object.assign(addresses['cloud3-sm']?.details ?? {}, { key: google.createKey() });
process.send?.({ id: 0, result: { addresses, moody: proxy.url } });
