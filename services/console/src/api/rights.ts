import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import type { Right } from './right.ts';

// The API takes at most this many paths in one request.
const MOST_PATHS = 200;

type Waiting = { path: string; resolve: (given: string[]) => void; reject: (error: unknown) => void };
let waiting: Waiting[] = [];

/** What the caller may do with the path of a right; `root`: everything. All rights that a page needs go into one request. */
export const capabilitiesQuery = ({ path, capability }: Right) => {
  const asked = capability === 'list' ? `${path}/` : path;
  return queryOptions({
    queryKey: ['capabilities', asked],
    queryFn: () =>
      new Promise<string[]>((resolve, reject) => {
        waiting.push({ path: asked, resolve, reject });
        if (waiting.length === 1) setTimeout(askTogether);
      }),
    staleTime: 30_000,
    retry: false,
  });
};

function askTogether(): void {
  const all = waiting;
  waiting = [];
  for (let from = 0; from < all.length; from += MOST_PATHS) void ask(all.slice(from, from + MOST_PATHS));
}

async function ask(some: Waiting[]): Promise<void> {
  try {
    const body = { paths: some.map(({ path }) => path) };
    const { data } = await call<{ data: Record<string, string[]> }>('POST', 'sys/capabilities-self', {
      body,
      background: true,
    });
    for (const { path, resolve } of some) resolve(data.data[path] ?? []);
  } catch (error) {
    for (const { reject } of some) reject(error);
  }
}
