import type { StoryLineAnswer } from '../../../../api/contract/story.ts';

type Version = Extract<StoryLineAnswer, { kind: 'version' }>;

/** A line of a story; a version that is still kept has the address that it was saved from. */
export type ToldLine = StoryLineAnswer | (Version & { address: string | null });

/** One line for each save: the entry of the audit trail and the version that it made are the same to a reader. */
export function joinSaves(story: StoryLineAnswer[]): ToldLine[] {
  const versions = new Set(story.flatMap((line) => (line.kind === 'version' ? [line.version] : [])));
  const saves = new Map(
    story.flatMap((line) => {
      const version = savedBy(line);
      return version !== undefined && versions.has(version) ? [[version, line] as const] : [];
    }),
  );
  return story
    .filter((line) => saves.get(savedBy(line) ?? 0) !== line)
    .map((line) => {
      if (line.kind !== 'version') return line;
      const save = saves.get(line.version);
      return { ...line, address: save && 'address' in save ? save.address : null };
    });
}

// A roll back says more than the version that it makes.
function savedBy(line: StoryLineAnswer): number | undefined {
  if (line.kind !== 'change' || line.outcome !== 'succeeded') return undefined;
  const version = line.detail?.['version'];
  return /^(?:POST|PUT|PATCH) \/:mount\/data\/\*path$/.test(line.action) && typeof version === 'number'
    ? version
    : undefined;
}
