import type { StoryAnswer } from '../../../../api/contract/story.ts';
import { pathOf } from '../../api/client.ts';
import { readAllowed } from '../../api/rights.ts';
import { spanFaults } from '../../kit/picker/span.ts';
import type { SecretName } from '../secrets/split-path.ts';
import { activityQuery, type ActivityFilter } from './filter.ts';

/** Some lines of a story, and where it goes on; null: nowhere. */
export type StoryPage = Pick<StoryAnswer, 'story' | 'next_after'>;

/** The lines after a place; empty: the newest. A look at the story has a limit, so it may take several until one matches. */
export async function readStoryPage(
  secret: SecretName,
  filter: ActivityFilter,
  after: string,
): Promise<StoryPage> {
  if (spanFaults(filter).title) return { story: [], next_after: null };
  let page: StoryPage = { story: [], next_after: after };
  while (page.story.length === 0 && page.next_after !== null) {
    const query = activityQuery(filter, page.next_after ? { after: page.next_after } : {});
    page = await readAllowed<StoryAnswer>(
      `sys/story/${pathOf(secret.mount, secret.path)}${query && `?${query}`}`,
    );
  }
  return page;
}
