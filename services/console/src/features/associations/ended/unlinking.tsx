import { Notice } from '../../../kit/notice.tsx';

/** What becomes of the entries of a link that is being unlinked. */
export function Unlinking({
  isFailing,
  isDoubtful,
  isDone,
  count,
}: {
  isFailing: boolean;
  /** A call to delete one of them got no clear answer. */
  isDoubtful: boolean;
  isDone: boolean;
  /** Of its entries. */
  count: number;
}) {
  return (
    <Notice tone="limited">
      This secret is being unlinked.{' '}
      {isFailing
        ? `${leftText(count, isDoubtful)}: it is tried again by itself, or at once if you unlink it once more. What someone changes there until then is deleted too, unless the deletion policy keeps it. To keep the link, choose Keep this link: it links the secret again and writes its value.`
        : isDone
          ? // A call to the store that ended is not the end: an earlier one may bring the entry back.
            'The store says that nothing of it is left. Sealift looks once more before the link ends.'
          : count === 1
            ? 'Sealift deletes its entry in the store, and makes sure that it stays gone.'
            : 'Sealift deletes its entries in the store, and makes sure that they stay gone.'}
    </Notice>
  );
}

function leftText(count: number, isDoubtful: boolean): string {
  const [entries, stay, them] = count === 1 ? ['entry', 'stays', 'it'] : ['entries', 'stay', 'them'];
  return isDoubtful
    ? `The store may still have its ${entries}, or have deleted ${them} already`
    : `Its ${entries} ${stay} in the store until that no longer fails`;
}
