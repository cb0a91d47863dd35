import { Button } from './button.tsx';
import kit from './kit.module.css';
import { counted } from './text/counted.ts';

/** Stands below a paged list, newest first: the number of all entries, and links to the other pages. */
export function Pages({
  page,
  pages,
  total,
  noun,
  go,
}: {
  page: number;
  pages: number;
  /** Null while it is not known. */
  total: number | null;
  /** In the singular. */
  noun: string;
  go: (page: number) => void;
}) {
  return (
    <div className={`${kit.row} ${kit.spread}`}>
      <span className={kit.muted}>{total === null ? `– ${noun}s` : counted(total, noun)}</span>
      <div className={kit.row}>
        <Button disabled={page <= 1} onClick={() => go(page - 1)}>
          Previous
        </Button>
        <Button disabled={page >= pages} onClick={() => go(page + 1)}>
          Next
        </Button>
      </div>
    </div>
  );
}

type Paged = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };

/** Reads the next page of a list; nothing where the list has ended. */
export function LoadMore({ query }: { query: Paged }) {
  if (!query.hasNextPage) return null;
  return (
    <div>
      <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        Load more
      </Button>
    </div>
  );
}
