import type { SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import { fromNodeProviderChain, fromTemporaryCredentials, fromWebToken } from '@aws-sdk/credential-providers';
import type { ConnectorContext } from '../../../../libs/connector/contract.ts';
import { beforeSending } from '../../../../libs/connector/errors.ts';
import type { DestinationIdentity } from '../../../../libs/connector/identity/destination-identity.ts';
import { roleSessionName } from './role-session-name.ts';
import { describeOwnSignIn, describeSignIn, isTokenRefused } from './sign-in-failures.ts';

/** The settings that lead to an account. */
export type Access = {
  access_key_id?: string;
  secret_access_key?: string;
  role_arn?: string;
  external_id?: string;
  identity_token_audience?: string;
  region?: string;
};

type Handler = NonNullable<SecretsManagerClientConfig['requestHandler']>;
type Provider = ReturnType<typeof fromTemporaryCredentials>;
type TokenInput = Parameters<typeof fromWebToken>[0];
type Keys = { accessKeyId: string; secretAccessKey: string };

// The most that AWS allows where one role assumes another.
const SESSION_SECONDS = 3600;

/**
 * The credentials of a destination: its access key, or a provider of those of its role or of the worker itself. The SDK asks the provider again five minutes before they expire.
 */
export function signIn(
  settings: Access,
  context: ConnectorContext,
  requestHandler: Handler,
): Keys | Provider {
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, role_arn: roleArn } = settings;
  const keys = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
  if (roleArn === undefined) return keys ?? ownIdentity();
  const assume = assumeRole({ ...settings, role_arn: roleArn }, keys, { context, requestHandler });
  return (properties) => beforeSending(() => assume(properties));
}

// Where the SDK finds it: the environment, files, the container or the machine.
function ownIdentity(): Provider {
  const find = fromNodeProviderChain();
  return async (properties) => {
    try {
      return await find(properties);
    } catch (error) {
      throw describeOwnSignIn(error);
    }
  };
}

function assumeRole(
  settings: Access & { role_arn: string },
  keys: Keys | undefined,
  { context, requestHandler }: { context: ConnectorContext; requestHandler: Handler },
): Provider {
  const { identity } = context;
  if (!identity) throw new Error('a role needs an identity');
  const endpoint = context.environment('AWS_ENDPOINT_URL_STS');
  const clientConfig = {
    requestHandler,
    // The engine decides about retries.
    maxAttempts: 1,
    // Of the region: stores in regions that are off by default refuse sessions of the global service.
    ...(settings.region ? { region: settings.region } : {}),
    ...(endpoint ? { endpoint } : {}),
  };
  const role = { roleArn: settings.role_arn, roleSessionName: roleSessionName(identity.subject) };
  if (settings.identity_token_audience !== undefined) return byToken(role, identity, clientConfig);
  const provider = fromTemporaryCredentials({
    masterCredentials: keys ?? ownIdentity(),
    params: {
      RoleArn: role.roleArn,
      RoleSessionName: role.roleSessionName,
      DurationSeconds: SESSION_SECONDS,
      ...(settings.external_id ? { ExternalId: settings.external_id } : {}),
    },
    clientConfig,
  });
  return async (properties) => {
    try {
      return await provider(properties);
    } catch (error) {
      throw describeSignIn(error, identity, 'AssumeRole');
    }
  };
}

// AWS may refuse a token that was given before, because its key is gone. A new one decides.
function byToken(
  role: { roleArn: string; roleSessionName: string },
  identity: DestinationIdentity,
  clientConfig: TokenInput['clientConfig'],
): Provider {
  const exchange = (webIdentityToken: string, properties: Parameters<Provider>[0]) =>
    fromWebToken({ ...role, webIdentityToken, durationSeconds: SESSION_SECONDS, clientConfig })(properties);
  return async (properties) => {
    const describe = (error: unknown): never => {
      throw describeSignIn(error, identity, 'AssumeRoleWithWebIdentity');
    };
    const token = await identity.token();
    try {
      return await exchange(token, properties);
    } catch (error) {
      if (!isTokenRefused(error)) return describe(error);
    }
    const other = await identity.token({ isAnew: true });
    return exchange(other, properties).catch(describe);
  };
}
