import { SecretManagerServiceClient } from '@google-cloud/secret-manager';
import type { Settings, Write } from './write.ts';

/** Google's SDK as its manual shows it, over REST like the connector, because the fake has no gRPC. */
export async function open(settings: Settings): Promise<Write> {
  const credentials = JSON.parse(settings['credentials'] ?? '') as Record<string, string>;
  const { protocol, hostname, port } = new URL(process.env['CLOUD3_SM_API_URL'] ?? '');
  const client = new SecretManagerServiceClient({
    credentials,
    fallback: true,
    protocol: protocol.slice(0, -1),
    apiEndpoint: hostname,
    port: Number(port),
    // The default of the SDK at Google's own address.
    scopes: ['https://www.googleapis.com/auth/cloud-platform'],
  });
  const project = `projects/${credentials['project_id']}`;
  return ({ name }, value) =>
    client.addSecretVersion({
      parent: `${project}/secrets/${name}`,
      payload: { data: Buffer.from(value, 'utf8') },
    });
}
