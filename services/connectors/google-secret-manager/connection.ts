import type { ConnectorContext } from '../../../libs/connector/contract.ts';
import { type ConnectorError, hasCode } from '../../../libs/connector/errors.ts';
import { createClient, type Client } from './client.ts';
import { credentialsPath, readCredentialsFile } from './credentials-file.ts';
import type { Cloud3SmSettings } from './destination.ts';
import { failures, STORED_HOLDER } from './failures.ts';
import { DEFAULT_UNIVERSE, parseServiceAccount, type ServiceAccount } from './service-account.ts';
import { projectOfAccount } from './sign-in/federation.ts';
import { federatedTokens, ownTokens } from './sign-in/token-source.ts';

/** A client, the project of its secrets, and who has the rights there, as the beginning of a sentence. */
export type Connection = Client & { projectId: string; holder: string };

/** Connects with a service account key, with identity tokens, or as the worker itself. */
export async function openConnection(
  { credentials, ...settings }: Cloud3SmSettings,
  context: ConnectorContext,
): Promise<Connection> {
  if (credentials !== undefined) return openWithKey({ ...settings, credentials }, context);
  const projectId = settings.project_id ?? projectOfAccount(settings) ?? '';
  const isFederated = settings.identity_token_audience !== undefined;
  const tokens = isFederated ? federatedTokens(settings, context) : ownTokens(context);
  const client = createClient({ projectId, universeDomain: DEFAULT_UNIVERSE, ...tokens }, context);
  return { ...client, projectId, holder: tokens.holder };
}

// If the key is in a file, reads it again after the store has refused it: somebody who replaces the file need not change the
// destination.
async function openWithKey(
  settings: Pick<Cloud3SmSettings, 'project_id'> & { credentials: string },
  context: ConnectorContext,
): Promise<Connection> {
  const path = credentialsPath(settings.credentials);
  const load = async (): Promise<ServiceAccount> => {
    const read =
      path === undefined ? { text: settings.credentials } : await readCredentialsFile(path, context);
    if ('fault' in read) throw failures.fail('credentials_missing', { message: read.fault });
    const account = parseServiceAccount(read.text, context);
    if ('faults' in account)
      throw failures.fail('credentials_refused', { message: account.faults.join('; ') });
    return account;
  };
  const account = await load();
  const projectId = settings.project_id ?? account.projectId;
  let client = createClient(account, context);
  let isRefused = false;
  let reloading: Promise<void> | undefined;

  async function reload(): Promise<void> {
    const next = await load();
    if ((settings.project_id ?? next.projectId) !== projectId) throw projectChanged();
    client.close();
    client = createClient(next, context);
    isRefused = false;
  }

  return {
    projectId,
    holder: STORED_HOLDER,
    async invoke(operation, signal, call) {
      if (isRefused) await (reloading ??= reload().finally(() => (reloading = undefined)));
      try {
        return await client.invoke(operation, signal, call);
      } catch (error) {
        if (path !== undefined && hasCode(error, 'credentials_refused')) isRefused = true;
        throw error;
      }
    },
    close: () => client.close(),
  };
}

/** The error for a credentials file that now leads to another project. */
export function projectChanged(): ConnectorError {
  const message =
    'credentials: the file now contains a key of another project: create another destination for it, or set project_id';
  return failures.fail('configuration_invalid', { message });
}
