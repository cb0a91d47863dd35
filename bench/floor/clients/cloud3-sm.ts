import { importPKCS8, SignJWT } from 'jose';
import { connect, type Client, type Options } from './client.ts';

const ADDRESS = process.env['CLOUD3_SM_API_URL'] ?? '';

/** A read, which tells who owns the secret, and a write for each secret, under one token that the client signs itself. */
export function cloud3Sm({ concurrency }: Options): Client {
  const call = connect(ADDRESS, concurrency);
  return {
    batchSize: 1,
    open: async (settings) => {
      const account = JSON.parse(settings['credentials'] ?? '') as Record<string, string>;
      const { private_key_id: kid = '', client_email: email = '', private_key: key = '' } = account;
      const token = await new SignJWT()
        .setProtectedHeader({ alg: 'RS256', kid })
        .setIssuer(email)
        .setSubject(email)
        .setAudience('https://secretmanager.googleapis.com/')
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(await importPKCS8(key, 'RS256'));
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return async ([item]) => {
        const { name = '', value = '' } = item ?? {};
        const path = `/v1/projects/${account['project_id']}/secrets/${name}`;
        await call({ method: 'GET', path, headers });
        const body = JSON.stringify({ payload: { data: Buffer.from(value).toString('base64') } });
        await call({ method: 'POST', path: `${path}:addVersion`, headers, body });
      };
    },
  };
}
