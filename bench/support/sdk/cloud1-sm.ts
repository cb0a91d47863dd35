import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Settings, Write } from './write.ts';

/** AWS' SDK as its manual shows it. The SDK itself finds the fake by AWS_ENDPOINT_URL_SECRETS_MANAGER. */
export async function open(settings: Settings): Promise<Write> {
  const { region = '', access_key_id: accessKeyId = '', secret_access_key: secretAccessKey = '' } = settings;
  const client = new SecretsManagerClient({ region, credentials: { accessKeyId, secretAccessKey } });
  return ({ name }, value) => client.send(new PutSecretValueCommand({ SecretId: name, SecretString: value }));
}
