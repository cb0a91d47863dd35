import type { ConnectorContext, PutEntry, Session } from '../../../libs/connector/contract.ts';
import { signAppToken, type AppKey } from '../../../libs/crypto/app-key.ts';
import { connector } from '../../../services/connectors/github-secrets/connector.ts';
import type { RepoHostSettings } from '../../../services/connectors/github-secrets/settings.ts';
import type { RepoHostFake } from '../../sandbox/github-secrets/fake.ts';
import { calm } from '../conformance/verb-table.ts';

export { failureOf } from '../conformance/failure-of.ts';
export { calm, callsTo as operations } from '../conformance/verb-table.ts';

export const never = calm();

export type OpenOptions = {
  settings?: Partial<RepoHostSettings>;
  egressAllow?: string[];
  callTimeoutMs?: number;
  /** Signs in as this app, instead of with a token. Null: the app is gone. */
  app?: (AppKey & { installation: number }) | null;
  isNew?: () => boolean;
};

/** A session on the fake, opened like the engine does it. */
export async function openSession(fake: RepoHostFake, options: OpenOptions = {}): Promise<Session> {
  const { app } = options;
  const context: ConnectorContext = {
    environment: (name) => (name === 'REPO_HOST_API_URL' ? fake.url : undefined),
    egressAllow: options.egressAllow ?? [],
    installation: 'here',
    callTimeoutMs: options.callTimeoutMs ?? 5000,
    ...(options.isNew ? { isNew: options.isNew } : {}),
    ...(app === undefined ? {} : { appToken: async () => (app ? signAppToken(app) : undefined) }),
  };
  const credentials =
    app === undefined
      ? { access_token: 'ghp_valid' }
      : { app_name: 'our-app', installation_id: app?.installation ?? 1 };
  const settings = {
    ...credentials,
    repository_owner: 'acme',
    repository_name: 'web',
    ...options.settings,
  };
  return connector.open(settings, context);
}

export function entryOf(name: string, value: string, expect: PutEntry['expect'] = 'present'): PutEntry {
  return { name, value, expect, reference: null, tags: {}, token: '00000000-0000-4000-8000-000000000000' };
}
