import type { StoryAnswer } from '../../../../api/contract/story.ts';
import { pathOf } from '../../api/client.ts';
import { readAllowed } from '../../api/rights.ts';
import type { TimeSpan } from '../../kit/picker/time-range.tsx';
import type { SecretName } from '../secrets/split-path.ts';

/** Selects lines of the story of a secret. `who`: a part of the name of a person or a token. */
export type StoryFilter = TimeSpan & { who?: string | undefined };

/** Some lines of a story, and where it goes on; null: nowhere. */
export type StoryPage = Pick<StoryAnswer, 'story' | 'next_after'>;

/** The lines after a place; empty: the newest. A look at the story has a limit, so it may take several until one matches. */
export async function readStoryPage(
  secret: SecretName,
  filter: StoryFilter,
  after: string,
): Promise<StoryPage> {
  let page: StoryPage = { story: [], next_after: after };
  while (page.story.length === 0 && page.next_after !== null) {
    const wanted = Object.entries({ ...filter, after: page.next_after || undefined });
    const given = wanted.filter((entry): entry is [string, string] => entry[1] !== undefined);
    const query = new URLSearchParams(given).toString();
    page = await readAllowed<StoryAnswer>(
      `sys/story/${pathOf(secret.mount, secret.path)}${query && `?${query}`}`,
    );
  }
  return page;
}
