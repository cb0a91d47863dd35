import type { QueryClient } from '@tanstack/react-query';
import { destinationQuery, syncedToQuery } from '../../../api/queries.ts';
import { counted } from '../../../kit/text/counted.ts';
import type { SecretName } from '../split-path.ts';

/** What becomes of the entries of several secrets at each of their destinations once the secrets are deleted. */
export async function readDeletion(
  queries: QueryClient,
  secrets: SecretName[],
): Promise<{ store: string; text: string }[]> {
  const linked = new Map<string, number>();
  // One after the other: the API limits how many requests a browser makes at once.
  for (const { mount, path } of secrets) {
    const links = await queries.fetchQuery({ ...syncedToQuery(mount, path), staleTime: 0 });
    for (const store of new Set(links.map(({ type, name }) => `${type}/${name}`)))
      linked.set(store, (linked.get(store) ?? 0) + 1);
  }
  const found: { store: string; text: string }[] = [];
  for (const [store, count] of linked) {
    const [type = '', name = ''] = store.split('/');
    const policy = await queries.fetchQuery(destinationQuery(type, name)).then(
      ({ options }) => options.deletion_policy,
      () => null,
    );
    found.push({ store, text: describe(policy, counted(count, 'secret')) });
  }
  return found;
}

function describe(policy: 'delete' | 'retain' | null | undefined, many: string): string {
  if (policy === 'retain') return `the entries of ${many} stay, because of its deletion policy`;
  if (policy === 'delete') return `the entries of ${many} will be deleted`;
  return `unknown for ${many}: you may not read its settings`;
}
