import type { ConnectorContext, Session } from '../../../libs/connector/contract.ts';
import type { Fake } from '../../sandbox/contract.ts';
import { connector } from './connector.ts';

/** A session on the fake, opened as the engine does it. */
export async function openLockbox(fake: Fake, context: Partial<ConnectorContext> = {}): Promise<Session> {
  const settings = { address: fake.url, box: 'team', access_key: 'key-first' };
  return connector.open(settings, {
    environment: () => undefined,
    egressAllow: ['127.0.0.1'],
    installation: 'here',
    callTimeoutMs: 5000,
    ...context,
  });
}
