import { Type } from 'typebox';
import { badRequest, notFound, permissionDenied } from '../../../../libs/errors/request-error.ts';
import { readStory, type StoryCursor } from '../../../../libs/store/audit/story.ts';
import { lookUpMount } from '../../../../libs/store/secrets/mounts.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { presentStoryLine } from './story-line.ts';
import { textFilter } from '../policy-engine-versions/paging.ts';
import { kindFilter, outcomeFilter, requireSpan, timeFilter } from './filters.ts';
import { kindFilters, type ActionKinds } from './kinds.ts';
import { storyAnswer } from '../../contract/story.ts';

const DEFAULT_LIMIT = 100;
const NEWEST = { event: Number.MAX_SAFE_INTEGER, push: Number.MAX_SAFE_INTEGER, version: 2_147_483_647 };

/** What became of one secret. */
export const storyEndpoints = (actions: ActionKinds): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/sys/story/*path',
    access: 'policy',
    summary:
      'Read the story of a secret, newest first: its versions, who read, changed and linked it, and where it was pushed; also needs `read` on its metadata',
    answers: { 200: { data: storyAnswer } },
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1000,
          description: `Maximum number of lines. Default ${DEFAULT_LIMIT}.`,
        }),
      ),
      after: Type.Optional(
        Type.String({ description: '`next_after` of the previous page. Empty: begin with the newest line.' }),
      ),
      who: textFilter(
        'Only what was done by whom: a part of the name of a person or a token, in any case. A page may then be short, or empty, and still have `next_after`.',
      ),
      outcome: outcomeFilter(
        'Only what ended so. An attempt at an entry in a store has succeeded if the store took it, and failed otherwise. Pages may be short as with `who`.',
      ),
      kind: kindFilter(
        '`change`: everything else, such as versions, links and attempts at entries in stores. Pages may be short as with `who`.',
      ),
      since: timeFilter('Only what happened at or after this time.'),
      until: timeFilter('Only what happened before this time.'),
    }),
    handle: async (request) => {
      const { services, namespace, params, query } = request;
      const path = params['path'] ?? '';
      const mount = await lookUpMount(services.db, namespace.id, path);
      const rest = mount ? path.slice(mount.path.length + 1) : '';
      requireRead(request, mount?.version === 2 ? `${mount.path}/metadata/${rest}` : path);
      if (!mount || rest === '') throw notFound();
      const { who, outcome, kind, since, until } = query;
      requireSpan({ since, until });
      // A caller who reads right after its own change sees that change.
      await services.audit.settled();
      const { lines, next } = await readStory(
        services.db,
        { mount, path: rest, who: who || undefined, outcome, ...kindFilters(kind, actions), since, until },
        { after: cursorOf(query.after), limit: query.limit ?? DEFAULT_LIMIT },
      );
      return ok({
        mount: mount.path,
        path: rest,
        story: lines.map(presentStoryLine),
        next_after: next && `${next.event}.${next.push}.${next.version}`,
      });
    },
  }),
];

// Without a right on the secret, a caller must not learn whether the mount exists.
function requireRead({ may }: ApiRequest, path: string): void {
  if (!may(path, 'read')) throw permissionDenied();
}

function cursorOf(text: string | undefined): StoryCursor {
  if (!text) return NEWEST;
  const [event, push, version] = /^\d{1,16}\.\d{1,16}\.\d{1,10}$/.test(text)
    ? text.split('.').map(Number)
    : [];
  if (event === undefined || push === undefined || version === undefined)
    throw badRequest('after must be next_after of an earlier answer');
  return {
    event: Math.min(event, NEWEST.event),
    push: Math.min(push, NEWEST.push),
    version: Math.min(version, NEWEST.version),
  };
}
