import type { ConnectorContext } from '../../../libs/connector/contract.ts';
import type { RepoHostSettings } from './settings.ts';
import { failures, SIGN_IN } from './failures.ts';
import { createInstallationTokens } from './installation-token.ts';
import { openTransport, type CallOptions, type Method, type Reply, type Transport } from './transport.ts';

export type Client = {
  /** The repository as people know it: `acme/web`, with its environment if one is set. */
  container: string;
  /** A path below the repository, such as `/actions/secrets/NAME`. */
  secretsPath: string;
  /** What signs in, in messages. */
  credential: string;
  isApp: boolean;
  /** `path` is below the repository. Throws ConnectorError only. */
  call: (method: Method, path: string, options: CallOptions) => Promise<Reply>;
  close: () => void;
};

/** Calls to one repository, with the token of the settings or one of an app. */
export function createClient(settings: RepoHostSettings, context: ConnectorContext): Client {
  const { repository_owner: owner, repository_name: name, environment_name: environment } = settings;
  const isApp = settings.app_name !== undefined;
  const container =
    environment === undefined ? `${owner}/${name}` : `${owner}/${name} (environment ${environment})`;
  const credential = isApp ? 'GitHub App' : 'access_token';
  const transport = openTransport(settings, context, { container, credential });
  const authorize = isApp ? asApp(settings, context, transport) : asUser(settings);

  return {
    container,
    secretsPath:
      environment === undefined
        ? '/actions/secrets'
        : `/environments/${encodeURIComponent(environment)}/secrets`,
    credential,
    isApp,
    call: (method, path, options) =>
      authorize(
        (token) => transport.send(method, `/repos/${owner}/${name}${path}`, { ...options, token }),
        options.signal,
      ),
    close: transport.close,
  };
}

type Authorize = (call: (token: string) => Promise<Reply>, signal: AbortSignal) => Promise<Reply>;

function asUser({ access_token: token = '' }: RepoHostSettings): Authorize {
  return (call) => call(token);
}

// The token is good for the repository and the permission that are needed, and for no other of the installation.
function asApp(settings: RepoHostSettings, { appToken }: ConnectorContext, { send }: Transport): Authorize {
  const {
    installation_id: installation,
    repository_name: repository,
    environment_name: environment,
  } = settings;
  const permission = environment === undefined ? 'secrets' : 'environments';
  const body = { repositories: [repository], permissions: { [permission]: 'write' } };
  const tokens = createInstallationTokens(async (signal) => {
    const token = await appToken?.();
    if (token === undefined) throw failures.fail('app_missing');
    const path = `/app/installations/${installation}/access_tokens`;
    return send('POST', path, { token, signal, body, expected: [201], operation: SIGN_IN });
  });
  return tokens.use;
}
