import {
  ClientAssertionCredential,
  ClientSecretCredential,
  ManagedIdentityCredential,
  WorkloadIdentityCredential,
  type ClientSecretCredentialOptions,
  type TokenCredential,
} from '@azure/identity';
import type { ConnectorContext } from '../../../libs/connector/contract.ts';

/** The settings that say who signs in. */
export type Application = {
  tenant_id: string;
  client_id: string;
  client_secret?: string;
  identity_token_audience?: string;
};

/**
 * The SDK's credential for an application: by its secret, by our tokens, or as the worker itself, which on Kubernetes has a
 * token in a file and elsewhere a managed identity. `readToken` gives the token for the next sign-in.
 */
export function credentialOf(
  { tenant_id: tenantId, client_id: clientId, ...settings }: Application,
  { environment }: Pick<ConnectorContext, 'environment'>,
  { options, readToken }: { options: ClientSecretCredentialOptions; readToken: () => string },
): TokenCredential {
  const { client_secret: secret, identity_token_audience: audience } = settings;
  if (secret !== undefined) return new ClientSecretCredential(tenantId, clientId, secret, options);
  if (audience !== undefined)
    return new ClientAssertionCredential(tenantId, clientId, () => Promise.resolve(readToken()), options);
  const tokenFilePath = environment('AZURE_FEDERATED_TOKEN_FILE');
  if (tokenFilePath !== undefined)
    return new WorkloadIdentityCredential({ tenantId, clientId, tokenFilePath, ...options });
  // It calls this machine only, so our own connections and their limits are not for it.
  return new ManagedIdentityCredential({ clientId, retryOptions: { maxRetries: 0 } });
}
