import type { QueryClient } from '@tanstack/react-query';
import { destinationQuery, syncedToQuery } from '../../../api/queries.ts';
import { counted } from '../../../kit/text/counted.ts';
import { readHindrance, storesOf } from '../reach/hindrance.ts';
import type { SecretName } from '../split-path.ts';

/** What becomes of the entries of several secrets at each of their destinations once the secrets are deleted. */
export async function readDeletion(
  queries: QueryClient,
  secrets: SecretName[],
): Promise<{ store: string; text: string }[]> {
  const linked = new Map<string, { ours: number; foreign: number; once: string }>();
  // One after the other: the API limits how many requests a browser makes at once.
  for (const { mount, path } of secrets) {
    const links = await queries.fetchQuery({ ...syncedToQuery(mount, path), staleTime: 0 });
    for (const store of storesOf(links)) {
      const before = linked.get(store) ?? { ours: 0, foreign: 0, once: '' };
      const { foreign, onceDeleted: once } = await readHindrance(queries, links, store);
      const isForeign = foreign === 'all';
      linked.set(store, {
        ours: before.ours + Number(!isForeign),
        foreign: before.foreign + Number(isForeign),
        once: before.once || once,
      });
    }
  }
  const found: { store: string; text: string }[] = [];
  for (const [store, { ours, foreign, once }] of linked) {
    const [type = '', name = ''] = store.split('/');
    const policy = await queries.fetchQuery(destinationQuery(type, name)).then(
      ({ options }) => options.deletion_policy,
      () => null,
    );
    const texts = [
      ...(ours > 0 ? [describe(policy, counted(ours, 'secret'), once)] : []),
      ...(foreign > 0 ? [`the entries of ${counted(foreign, 'secret')} aren’t Sealift’s, and stay`] : []),
    ];
    found.push({ store, text: texts.join('; ') });
  }
  return found;
}

function describe(policy: 'delete' | 'retain' | null | undefined, many: string, once: string): string {
  if (policy === 'retain') return `the entries of ${many} stay, because of its deletion policy`;
  if (policy === 'delete') return `entries that Sealift wrote there for ${many} will be deleted${once}`;
  return `unknown for ${many}: you may not read its settings`;
}
