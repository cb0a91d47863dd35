import { transact } from '../../../../libs/db/transact.ts';
import { badRequest, notFound } from '../../../../libs/errors/request-error.ts';
import { MASK } from '../../../../libs/settings/redact.ts';
import {
  deleteGithubApp,
  findGithubApp,
  listDestinationsOfApp,
  listGithubApps,
  type GithubApp,
} from '../../../../libs/store/destinations/github-apps.ts';
import { describeChanges } from '../../../../libs/validation/changes.ts';
import { etagOf, requireMatch } from '../../../../libs/validation/preconditions.ts';
import { githubAppAnswer, type GithubAppAnswer } from '../../contract/destinations.ts';
import { keysAnswer } from '../../contract/schema.ts';
import { endpoint, noContent, ok, type Endpoint } from '../../routing/endpoint.ts';
import { appKeyOf, shownInTrail } from './named-app.ts';
import { tellUsers } from './users.ts';
import { appBody, writeApp } from './write.ts';

const PATH = '/sys/sync/github-apps';

/** GitHub Apps that destinations sign in as. No call shows a key. */
export const githubAppEndpoints: Endpoint[] = [
  endpoint({
    method: 'LIST',
    path: PATH,
    access: 'policy',
    summary: 'List the GitHub Apps of a namespace',
    answers: { 200: { data: keysAnswer } },
    handle: async ({ services, namespace }) => {
      const keys = await listGithubApps(services.db, namespace.id);
      if (keys.length === 0) throw notFound();
      return ok({ keys });
    },
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/:name`,
    access: 'policy',
    summary: 'Read a GitHub App; its key is shown as *****',
    answers: { 200: { data: githubAppAnswer } },
    handle: async (request) => {
      const app = await findGithubApp(request.services.db, appKeyOf(request));
      if (!app) throw notFound();
      return answer(app);
    },
  }),
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: `${PATH}/:name`,
    access: 'policy',
    summary: 'Create a GitHub App, or give it a new key',
    answers: { 200: { data: githubAppAnswer } },
    body: appBody,
    isConditional: true,
    takesIfNoneMatch: true,
    exists: async (request) => (await findGithubApp(request.services.db, appKeyOf(request))) !== undefined,
    handle: async (request) => answer(await writeApp(request)),
  }),
  endpoint({
    method: 'DELETE',
    path: `${PATH}/:name`,
    access: 'policy',
    summary: 'Delete a GitHub App that no destination uses',
    answers: { 204: {} },
    isConditional: true,
    handle: async (request) => {
      const key = appKeyOf(request);
      const former = await transact(request.services.db, async (transaction) => {
        const app = await findGithubApp(transaction, key, 'update');
        requireMatch(request.header('if-match'), app, `the GitHub App ${key.name}`);
        if (!app) return undefined;
        const users = await listDestinationsOfApp(transaction, key);
        if (users.length > 0)
          throw badRequest(
            `the GitHub App is in use by ${tellUsers(users)}: give them other credentials first`,
          );
        await deleteGithubApp(transaction, key);
        return app;
      });
      request.note({
        change: former ? 'deleted' : 'none',
        ...(former ? { former: describeChanges(shownInTrail(former), {}) } : {}),
      });
      return noContent();
    },
  }),
];

function answer(app: GithubApp) {
  return { status: 200, data: presentGithubApp(app), headers: { ETag: etagOf(app) } };
}

function presentGithubApp({ name, app_id, fingerprint, enterprise_url }: GithubApp): GithubAppAnswer {
  const server = enterprise_url === null ? {} : { enterprise_url };
  return { name, app_id, fingerprint, private_key: MASK, ...server };
}
