import type { ChangedAnswer } from '../../../api/contract/destinations.ts';
import { focusManager, queryOptions, type Query } from '@tanstack/react-query';
import { call, read, readList } from './client.ts';
import { ApiFailure } from './failure.ts';
import { mayAskAgain, ONCE } from './polling.ts';
import { queryClient } from './query-client.ts';
import { isGiven, isOfSite, rightFor, type Right } from './right.ts';

const UNKNOWN = { changed_at: null, changed_by: null };
const CAPABILITIES = 'capabilities';
const EVERY_MS = 10_000;
const FRESH_MS = 30_000;
// The API takes at most this many paths in one request.
const MOST_PATHS = 200;
const ANY = /\/[+*]$/;

type Question = { at: 'sys/capabilities-self' | 'sys/capabilities-below'; path: string };
type Waiting = Question & { resolve: (given: string[]) => void; reject: (error: unknown) => void };
let waiting: Waiting[] = [];

/** What the caller may do with the path of a right; `root`: everything. All rights that a page needs go into few requests. */
export const capabilitiesQuery = (right: Right) => {
  const question = questionOf(right);
  return queryOptions({
    queryKey: [CAPABILITIES, question],
    queryFn: () =>
      new Promise<string[]>((resolve, reject) => {
        waiting.push({ ...question, resolve, reject });
        if (waiting.length === 1) setTimeout(askTogether);
      }),
    staleTime: FRESH_MS,
    retry: false,
    // One timer asks for all of them.
    ...ONCE,
  });
};

/**
 * Asks every ten seconds for all rights that the page needs, so that one that is taken away locks it. One timer for all: they
 * share a request, and no render can delay it. Call what it returns to end that.
 */
export function keepAskingForRights(): () => void {
  const timer = setInterval(() => {
    // Nobody looks at a hidden tab.
    if (!focusManager.isFocused()) return;
    const shown = { type: 'active', predicate: ({ state }: Query) => mayAskAgain(state) } as const;
    void queryClient.refetchQueries({ queryKey: [CAPABILITIES], ...shown }, { cancelRefetch: false });
  }, EVERY_MS);
  return () => clearInterval(timer);
}

// A rule for one name is enough for an action whose name the user has not typed yet.
function questionOf({ path, capability }: Right): Question {
  if (ANY.test(path)) return { at: 'sys/capabilities-below', path: path.replace(ANY, '') };
  return { at: 'sys/capabilities-self', path: capability === 'list' ? `${path}/` : path };
}

function askTogether(): void {
  const all = waiting;
  waiting = [];
  for (const path of ['sys/capabilities-self', 'sys/capabilities-below'] as const)
    for (const isSite of [true, false]) {
      const some = all.filter((one) => one.at === path && isOfSite(one.path) === isSite);
      for (let from = 0; from < some.length; from += MOST_PATHS)
        void ask(path, isSite, some.slice(from, from + MOST_PATHS));
    }
}

async function ask(endpoint: Question['at'], isSite: boolean, some: Waiting[]): Promise<void> {
  try {
    const body = { paths: some.map(({ path }) => path) };
    const { data } = await call<{ data: Record<string, string[]> }>('POST', endpoint, {
      body,
      background: true,
      ...(isSite ? { namespace: null } : {}),
    });
    for (const { path, resolve } of some) resolve(data.data[path] ?? []);
  } catch (error) {
    for (const { reject } of some) reject(error);
  }
}

type Options = Parameters<typeof read>[1];

/**
 * Like `read`, for what a page shows by itself: throws without asking if the caller has no right to it, because a refusal
 * would stand in the audit trail as something that the caller tried.
 */
export async function readAllowed<Data>(path: string, options?: Options): Promise<Data> {
  await requireRight(path);
  return read<Data>(path, options);
}

/** The same, but returns `empty` if the API says that there is nothing. */
export async function readListAllowed<Data>(path: string, empty: Data, options?: Options): Promise<Data> {
  await requireRight(path);
  return readList<Data>(path, empty, options);
}

/** Throws if the caller has no right to read this. Who cannot find out the rights learns them from the refusal. */
export async function requireRight(path: string): Promise<void> {
  const right = rightFor('GET', path);
  const query = capabilitiesQuery(right);
  // A refused question would be refused again, such as in a namespace that does not exist.
  const known = queryClient.getQueryState(query.queryKey);
  if (known?.status === 'error' && Date.now() - known.errorUpdatedAt < FRESH_MS) return;
  const given = await queryClient.fetchQuery(query).catch(() => undefined);
  if (given === undefined || isGiven(given, right)) return;
  throw refusalOf([right]);
}

/** Says that rights are missing, and which. */
export function refusalOf(rights: Right[], detail = 'You don’t have permission.'): ApiFailure {
  return new ApiFailure({ status: 403, problems: [{ detail }], rights });
}

/**
 * What the API stores at a path, and who changed it last and when. The revision is that of the answer itself, so that a
 * change made since is noticed; it is empty for what never changes.
 */
export async function readStamped<Data extends object>(path: string): Promise<Data & ChangedAnswer> {
  await requireRight(path);
  const { data, etag } = await call<{ data: Data }>('GET', path);
  const revision = etag?.replaceAll('"', '') ?? '';
  if (revision === '') return { ...data.data, ...UNKNOWN, revision };
  const changed = await readList<Omit<ChangedAnswer, 'revision'>>(`sys/revisions/${path}`, UNKNOWN);
  return { ...data.data, ...changed, revision };
}
