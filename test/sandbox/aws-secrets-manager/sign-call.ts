import { accessKeys } from '../given-out.ts';
import { createSigner } from './signature.ts';

type Signing = { accessKeyId?: string; secretAccessKey?: string };

/** A call of an operation, in the form that `fetch` takes, signed with a known key unless options name another. */
export async function signCall(
  url: string,
  operation: string,
  input: object,
  { accessKeyId = 'AKIATEST', secretAccessKey = accessKeys[accessKeyId] ?? '' }: Signing = {},
): Promise<{ method: string; headers: Record<string, string>; body: string }> {
  const { host, hostname } = new URL(url);
  const body = JSON.stringify(input);
  const signer = createSigner('eu-west-1', { accessKeyId, secretAccessKey }, true);
  const { headers } = await signer.sign({
    protocol: 'http:',
    hostname,
    method: 'POST',
    path: '/',
    headers: { host, 'x-amz-target': `secretsmanager.${operation}` },
    body,
  });
  return { method: 'POST', headers, body };
}
