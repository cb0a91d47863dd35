import type { Client, Fields } from './http.ts';

/** One key of one association, as the API returns it. */
export type Association = Fields & {
  mount: string;
  secret_name: string;
  sub_key: string;
  external_name: string;
  sync_status: string;
  updated_at: string;
  cause: { class: string; code: string; message: string } | null;
  next_attempt_at: string | null;
};

const PAGE = 1000;

/** The names of all destinations, ordered by type and name. */
export async function fetchDestinations(client: Client): Promise<{ type: string; name: string }[]> {
  const answer = await client.find('LIST', 'sys/sync/destinations');
  const byType = Object.entries((answer?.data['key_info'] ?? {}) as Record<string, string[]>);
  return byType.flatMap(([type, names]) => names.map((name) => ({ type: type.replace(/\/$/, ''), name })));
}

/** The associations of a destination, page by page; none if the destination is gone. */
export async function* readAssociations(
  client: Client,
  destinationPath: string,
): AsyncGenerator<Association[]> {
  let after: string | null = null;
  do {
    const query: string = after === null ? '' : `&after=${encodeURIComponent(after)}`;
    const answer = await client.find('GET', `${destinationPath}/associations?limit=${PAGE}${query}`);
    if (!answer) return;
    yield Object.values((answer.data['associated_secrets'] ?? {}) as Record<string, Association>);
    after = (answer.data['next_after'] ?? null) as string | null;
  } while (after !== null);
}
