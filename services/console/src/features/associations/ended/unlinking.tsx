import { Notice } from '../../../kit/notice.tsx';

/** What becomes of the entries of a link that is being unlinked. */
export function Unlinking({
  isFailing,
  isDone,
  count,
}: {
  isFailing: boolean;
  isDone: boolean;
  /** Of its entries. */
  count: number;
}) {
  const [its, stay] = count === 1 ? ['Its entry', 'stays'] : ['Its entries', 'stay'];
  return (
    <Notice tone="limited">
      This secret is being unlinked.{' '}
      {isFailing
        ? `${its} ${stay} in the store until that no longer fails: it is tried again by itself, or at once if you unlink it once more. What someone changes there until then is deleted too, unless the deletion policy keeps it. To keep the link, choose Sync now: it links the secret again and writes its value.`
        : isDone
          ? // A call to the store that ended is not the end: an earlier one may bring the entry back.
            'The store says that nothing of it is left. Sealift looks once more before the link ends.'
          : `Sealift deletes ${its.toLowerCase()} in the store, and makes sure that ${count === 1 ? 'it stays' : 'they stay'} gone.`}
    </Notice>
  );
}
