import type { ConnectorContext } from '../../../libs/connector/contract.ts';
import { beforeSending, hasCode } from '../../../libs/connector/errors.ts';
import type { RepoHostSettings } from './settings.ts';
import { failures, SIGN_IN } from './failures.ts';
import { createInstallationTokens, type InstallationTokens } from './installation-token.ts';
import { placeOf, type Place } from './place.ts';
import { openTransport, type CallOptions, type Method, type Reply, type Transport } from './transport.ts';

export type Client = {
  place: Place;
  /** What signs in, in messages. */
  credential: string;
  isApp: boolean;
  /** Throws ConnectorError only. */
  call: (method: Method, path: string, options: CallOptions) => Promise<Reply>;
  /** Signs in anew with the key that the app has now; nothing for an access token. Throws ConnectorError only. */
  signIn: (signal: AbortSignal) => Promise<void>;
  close: () => void;
};

/** Calls with the token of the settings, or with those of an app. */
export function createClient(settings: RepoHostSettings, context: ConnectorContext): Client {
  const place = placeOf(settings);
  const isApp = settings.app_name !== undefined;
  const credential = isApp ? 'GitHub App' : 'access_token';
  const transport = openTransport(settings, context, { container: place.container, credential });
  const tokens = isApp ? asApp(settings, place, { context, transport }) : asUser(settings);

  return {
    place,
    credential,
    isApp,
    call: (method, path, options) =>
      tokens.use((token) => transport.send(method, path, { ...options, token }), options.signal),
    signIn: tokens.renew,
    close: transport.close,
  };
}

function asUser({ access_token: token = '' }: RepoHostSettings): InstallationTokens {
  return { use: (call) => call(token), renew: () => Promise.resolve() };
}

// The token is good for the permission that is needed, and for the one repository. For an organization, the ids of its
// repositories are asked for.
function asApp(
  { installation_id: installation, repository_name: repository }: RepoHostSettings,
  { kind, permission }: Place,
  { context, transport }: { context: ConnectorContext; transport: Transport },
): InstallationTokens {
  const body = {
    permissions: { [permission]: 'write', ...(kind === 'organization' ? { metadata: 'read' } : {}) },
    ...(kind === 'organization' ? {} : { repositories: [repository] }),
  };
  const signIn = async (signal: AbortSignal): Promise<Reply> => {
    const token = await context.appToken?.();
    if (token === undefined) throw failures.fail('app_missing');
    const path = `/app/installations/${installation}/access_tokens`;
    try {
      return await transport.send('POST', path, { token, signal, body, expected: [201], operation: SIGN_IN });
    } catch (error) {
      throw hasCode(error, 'app_refused') && context.isNew?.() ? failures.fail('app_unsettled') : error;
    }
  };
  return createInstallationTokens((signal) => beforeSending(() => signIn(signal)));
}
