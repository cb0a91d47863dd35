import type { ChangedAnswer } from '../../../api/contract/destinations.ts';
import { call, readList } from './client.ts';
import { requireRight } from './rights.ts';

const UNKNOWN = { changed_at: null, changed_by: null };

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
