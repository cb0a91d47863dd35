import { Type, type Static } from 'typebox';
import { readEnvironment } from '../../../../libs/config/config.ts';
import { operatorSettings } from '../../../../libs/connector/operator.ts';
import { fingerprintAppKey } from '../../../../libs/crypto/app-key.ts';
import type { Database } from '../../../../libs/db/connect.ts';
import { transact } from '../../../../libs/db/transact.ts';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import {
  findGithubApp,
  insertGithubApp,
  listDestinationsOfApp,
  updateGithubApp,
  type GithubApp,
} from '../../../../libs/store/destinations/github-apps.ts';
import { clearFailure } from '../../../../libs/store/orders/probes.ts';
import { describeChanges } from '../../../../libs/validation/changes.ts';
import { requireAbsent, requireMatch } from '../../../../libs/validation/preconditions.ts';
import { findDestinationType } from '../../../connectors/catalog.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import { requireAppKey, shownInTrail } from './named-app.ts';
import { tellUsers } from './users.ts';

const ONLY_ASTERISKS = /^\*+$/;
const LONGEST_KEY = 16_384;

export const appBody = Type.Object({
  app_id: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The App ID that GitHub shows on the page of the app.',
  }),
  private_key: Type.String({
    minLength: 1,
    maxLength: LONGEST_KEY,
    sensitive: true,
    description: 'The file (PEM) that GitHub gave for the app. Asterisks: the key stays.',
  }),
  enterprise_url: Type.Optional(
    Type.String({
      maxLength: 2048,
      description: 'The GitHub Enterprise Server that has the app. Default: github.com.',
    }),
  ),
});

type Fields = { app_id: number; enterprise_url: string | null; privateKey: string | undefined };

/** Creates an app or changes it, and lets the destinations that use it try again. Throws 400. */
export async function writeApp(request: ApiRequest<Static<typeof appBody>>): Promise<GithubApp> {
  const fields = readFields(request);
  return transact(request.services.db, (transaction) => write(transaction, request, fields));
}

async function write(transaction: Database, request: ApiRequest, fields: Fields): Promise<GithubApp> {
  const key = requireAppKey(request);
  const { keyring } = request.services;
  const { privateKey, ...columns } = fields;
  const author = request.caller.token.display_name;
  const present = await findGithubApp(transaction, key, 'update');
  requireAbsent(request.header('if-none-match'), present, `the GitHub App ${key.name}`);
  requireMatch(request.header('if-match'), present, `the GitHub App ${key.name}`);
  if (!present) {
    if (privateKey === undefined) throw badRequest('private_key is required');
    const fingerprint = fingerprintOf(privateKey);
    const written = { ...columns, fingerprint, privateKey, author };
    const app = await insertGithubApp(transaction, keyring, key, written);
    // Another request has just created the app, so we change it.
    if (!app) return write(transaction, request, fields);
    request.note({ change: 'created', changed: describeChanges({}, shownInTrail(app)) });
    return app;
  }
  const fingerprint = privateKey === undefined ? present.fingerprint : fingerprintOf(privateKey);
  const changed = describeChanges(shownInTrail(present), { ...columns, fingerprint });
  if (Object.keys(changed).length === 0) {
    request.note({ change: 'none' });
    return present;
  }
  const users = await listDestinationsOfApp(transaction, key);
  refuseOtherApp(Object.keys(changed), { users, isKeySent: privateKey !== undefined });
  const written = { ...columns, fingerprint, ...(privateKey === undefined ? {} : { privateKey }), author };
  const app = await updateGithubApp(transaction, keyring, key, written);
  for (const { id } of users) await clearFailure(transaction, id);
  request.note({ change: 'updated', changed });
  return app;
}

// With another number or server it is another app, which its destinations did not choose. And what a stored key signs is
// sent to no server but its own.
function refuseOtherApp(
  changed: string[],
  { users, isKeySent }: { users: { type: string; name: string }[]; isKeySent: boolean },
): void {
  const other = changed.filter((name) => name !== 'fingerprint');
  if (other.length === 0) return;
  if (users.length > 0) {
    throw badRequest(
      `${other.join(' and ')} cannot change while the GitHub App is in use by ${tellUsers(users)}: create another app, and give its name to them`,
    );
  }
  if (!isKeySent) throw badRequest(`private_key must be sent again with a new ${other.join(' and ')}`);
}

function readFields(request: ApiRequest<Static<typeof appBody>>): Fields {
  const { app_id, private_key: sent, enterprise_url: url = '' } = request.body;
  if (url !== '') checkServer(request, url);
  return {
    app_id,
    enterprise_url: url === '' ? null : url,
    privateKey: ONLY_ASTERISKS.test(sent) ? undefined : sent,
  };
}

function checkServer({ services, namespace }: ApiRequest, url: string): void {
  const operator = operatorSettings(services.config, namespace.path, readEnvironment);
  const fault = findDestinationType('repo-host')?.app?.faultOf(url, operator);
  if (fault) throw badRequest(`enterprise_url: ${fault}`);
}

function fingerprintOf(privateKey: string): string {
  const fingerprint = fingerprintAppKey(privateKey);
  if (fingerprint !== undefined) return fingerprint;
  throw badRequest(
    'private_key must be the PEM file that GitHub gave for the app: an RSA key of 2048 to 4096 bits, without a passphrase',
  );
}
