import { useQueries } from '@tanstack/react-query';
import type { ChangeEvent } from 'react';
import { Link } from '@tanstack/react-router';
import type { RowAnswer } from '../../../../api/contract/associations.ts';
import type { RowsAnswer } from '../../../../api/contract/associations.ts';
import { readRows, type RowFilter } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { ShortName } from '../../kit/narrow/short-name.tsx';
import { Status, statusByCause } from '../../kit/status.tsx';
import { Time } from '../../kit/time.tsx';
import { counted } from '../../kit/text/counted.ts';
import { askedText } from '../pauses/deeds.ts';
import { VirtualList } from './virtual-list.tsx';
import { useRowHeight, useVirtualRows } from './virtual-rows.ts';
import { useRange } from '../plans/range.ts';
import type { Selection } from '../plans/selection.ts';
import styles from './links.module.css';

/** The number of rows between two anchors, so that every page begins at an anchor. */
export const PAGE_ROWS = 500;

const ROW = { wide: 3, narrow: 4, phone: 7.5, slim: 14 };
const COLUMNS = ['Secret', 'Name in the store', 'Status', 'Version', 'Since'];

type Listed = {
  type: string;
  name: string;
  filter: RowFilter;
  first: RowsAnswer;
  version: string;
  selection: Selection;
};

/** Any number of rows in one scroll area. Only visible rows are drawn, and only their pages are read. */
export function RowList(listed: Listed) {
  const { type, name, first, selection } = listed;
  const total = first.total ?? 0;
  const list = useVirtualRows(total, useRowHeight(ROW));
  const rowAt = useRows(
    listed,
    list.items.map(({ index }) => index),
  );
  const tick = useTicks(selection, rowAt);
  const isTickedAt = (index: number): boolean => {
    const row = rowAt(index);
    return row !== undefined && selection.has(row);
  };
  return (
    <VirtualList list={list} label={counted(total, 'link')} columns={COLUMNS} headStyle={styles.head}>
      {({ index, style }) => (
        <Row
          type={type}
          name={name}
          row={rowAt(index)}
          index={index}
          style={style}
          isActive={index === list.active}
          isTicked={isTickedAt(index)}
          tick={(event) => tick(index, event)}
          focus={() => list.setActive(index)}
        />
      )}
    </VirtualList>
  );
}

function Row({
  type,
  name,
  row,
  index,
  style,
  isActive,
  isTicked,
  tick,
  focus,
}: {
  type: string;
  name: string;
  row: RowAnswer | undefined;
  index: number;
  style: { transform: string };
  isActive: boolean;
  isTicked: boolean;
  tick: (event: ChangeEvent<HTMLInputElement>) => void;
  focus: () => void;
}) {
  if (!row) return <div className={styles.line} style={style} />;
  const secret = `${row.mount}/${row.secret_name}`;
  const deed = askedText(row);
  return (
    <>
      <Tick style={style} secret={secret} isActive={isActive} isTicked={isTicked} tick={tick} />
      <Link
        to="/destinations/$type/$name/secret/$"
        params={{ type, name, _splat: secret }}
        className={styles.line}
        style={style}
        tabIndex={isActive ? 0 : -1}
        data-at={index}
        onFocus={focus}
      >
        <span className={styles.cut} title={secret}>
          <ShortName name={secret} most={56} />
        </span>
        <span className={`${styles.cut} ${kit.muted} ${kit.small}`} title={row.external_name ?? ''}>
          {row.entries > 1 ? (
            `${row.entries_in_sync} of ${row.entries} entries in sync`
          ) : (
            <ShortName name={row.external_name ?? ''} most={36} />
          )}
        </span>
        <span className={styles.state}>
          <Status status={statusByCause(row.sync_status, row.cause ?? row.last_failure)} />
          {deed ? <span className={`${kit.muted} ${kit.small}`}> {deed}</span> : null}
        </span>
        <span className={kit.muted}>{versionOf(row)}</span>
        <span className={`${kit.muted} ${kit.when}`}>
          <Time at={row.since ?? row.updated_at} />
        </span>
      </Link>
    </>
  );
}

function Tick({
  style,
  secret,
  isActive,
  isTicked,
  tick,
}: {
  style: { transform: string };
  secret: string;
  isActive: boolean;
  isTicked: boolean;
  tick: (event: ChangeEvent<HTMLInputElement>) => void;
}) {
  return (
    <label className={styles.tick} style={style}>
      <input
        type="checkbox"
        aria-label={`Select ${secret}`}
        tabIndex={isActive ? 0 : -1}
        checked={isTicked}
        onChange={tick}
      />
    </label>
  );
}

function versionOf({ source_version: source, synced_version: synced, cause }: RowAnswer): string {
  // What was written last is no longer there.
  const isTaken = cause?.code === 'conflict';
  const isBehind = !isTaken && source !== null && synced !== null && synced !== source;
  return isBehind ? `v${synced}→${source}` : `v${source ?? synced ?? '–'}`;
}

function useTicks({ setAll }: Selection, rowAt: (index: number) => RowAnswer | undefined) {
  const rangeOf = useRange();
  return (index: number, event: ChangeEvent<HTMLInputElement>): void => {
    const rows = rangeOf(index, event).flatMap((place) => rowAt(place) ?? []);
    setAll(
      rows.map((row) => ({ mount: row.mount, secret_name: row.secret_name })),
      event.target.checked,
    );
  };
}

// Reads the pages of the visible rows. The result is undefined for a row that is still being read.
function useRows(
  { type, name, filter, first, version }: Listed,
  indexes: number[],
): (index: number) => RowAnswer | undefined {
  const pages = [...new Set(indexes.map((index) => Math.floor(index / PAGE_ROWS)))].filter(
    (page) => page > 0,
  );
  const later = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['rows', type, name, filter, page, version],
      queryFn: () =>
        readRows({ type, name }, filter, {
          after: first.anchors?.[page - 1] ?? '',
          limit: PAGE_ROWS,
          anchors: false,
        }),
      placeholderData: (previous: RowsAnswer | undefined) => previous,
    })),
  });
  return (index) => {
    const page = Math.floor(index / PAGE_ROWS);
    const rows = page === 0 ? first.rows : later[pages.indexOf(page)]?.data?.rows;
    return rows?.[index % PAGE_ROWS];
  };
}
