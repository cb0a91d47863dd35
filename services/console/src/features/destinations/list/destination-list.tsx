import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { DestinationPageAnswer, DestinationSummaryAnswer } from '../../../../../api/contract/summary.ts';
import { currentNamespace } from '../../../api/client.ts';
import { destinationsQuery, PAGE_DESTINATIONS, type DestinationSearch } from '../../../api/summary.ts';
import { useVendors } from '../../../api/vendors.ts';
import { ShortName } from '../../../kit/narrow/short-name.tsx';
import kit from '../../../kit/kit.module.css';
import { wordOfMany } from '../../../kit/status.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { useNow } from '../../../kit/time.tsx';
import { VirtualList } from '../virtual-list.tsx';
import { useRowHeight, useVirtualRows } from '../virtual-rows.ts';
import { lineAt, type Group } from './grouping.ts';
import { isSilent } from '../../pauses/silence.ts';
import { Oldest, Silence, StatusBar } from './store-table.tsx';
import styles from './destination-list.module.css';

const ROW = { wide: 4.25, narrow: 8.5, phone: 9.5, slim: 14 };
const COLUMNS = ['Destination', 'Links', 'Status', 'Out of sync'];

type Listed = { search: DestinationSearch; first: DestinationPageAnswer };

/** Any number of destinations in one scroll area. Only visible rows are drawn, and only their pages are read. */
export function DestinationList({ search, first }: Listed) {
  const { total, groups } = first;
  const vendorOf = useVendors();
  const list = useVirtualRows(
    total + groups.length,
    useRowHeight(ROW),
    (index) => 'group' in lineAt(groups, index),
  );
  const lines = list.items.map(({ index }) => lineAt(groups, index));
  const destinationAt = usePages(
    search,
    first,
    lines.flatMap((line) => ('row' in line ? [line.row] : [])),
  );
  const titleOf = ({ key }: Group): string =>
    search.sort === 'type' ? vendorOf(key) || key : wordOfMany(key);
  const firstRow = groups.length > 0 ? 1 : 0;
  return (
    <VirtualList list={list} label={counted(total, 'destination')} columns={COLUMNS} headStyle={styles.head}>
      {({ index, style }) => {
        const line = lineAt(groups, index);
        if ('group' in line)
          return (
            <h2 className={styles.group} style={style}>
              {titleOf(line.group)} <span className={kit.muted}>{line.group.count.toLocaleString('en')}</span>
            </h2>
          );
        return (
          <Row
            destination={destinationAt(line.row)}
            vendorOf={vendorOf}
            index={index}
            style={style}
            isActive={index === Math.max(list.active, firstRow)}
            focus={() => list.setActive(index)}
          />
        );
      }}
    </VirtualList>
  );
}

function Row({
  destination,
  vendorOf,
  index,
  style,
  isActive,
  focus,
}: {
  destination: DestinationSummaryAnswer | undefined;
  vendorOf: (type: string) => string;
  index: number;
  style: { transform: string };
  isActive: boolean;
  focus: () => void;
}) {
  const now = useNow();
  if (!destination) return <div className={styles.line} style={style} />;
  const { store_type: type, store_name: name, namespace, total } = destination;
  const isElsewhere = namespace !== currentNamespace();
  return (
    <Link
      to="/destinations/$type/$name"
      params={{ type, name }}
      search={isElsewhere ? { ns: namespace } : {}}
      className={styles.line}
      style={style}
      tabIndex={isActive ? 0 : -1}
      data-at={index}
      onFocus={focus}
    >
      <span className={styles.cut} title={name}>
        <strong>
          <ShortName name={name} most={40} />
        </strong>
        <span className={`${styles.vendor} ${styles.cut} ${kit.small} ${kit.muted}`}>
          {isElsewhere ? `${namespace || 'root'} · ` : ''}
          {vendorOf(type)}
          {destination.purge_initiated_at ? ' · Removing…' : ''}
        </span>
      </span>
      <span className={styles.number}>
        {total.toLocaleString('en')}
        <span className={styles.unit}> {total === 1 ? 'link' : 'links'}</span>
      </span>
      <span className={kit.row}>
        <StatusBar destination={destination} />
        {isSilent(destination, now) ? <Silence /> : null}
      </span>
      <span className={`${kit.muted} ${kit.when}`}>
        <Oldest destination={destination} />
      </span>
    </Link>
  );
}

// Reads the pages of the visible rows. The result is undefined for a row that is still being read.
function usePages(
  search: DestinationSearch,
  first: DestinationPageAnswer,
  rows: number[],
): (row: number) => DestinationSummaryAnswer | undefined {
  const pages = [...new Set(rows.map((row) => Math.floor(row / PAGE_DESTINATIONS)))].filter(
    (page) => page > 0,
  );
  const later = useQueries({ queries: pages.map((page) => destinationsQuery(search, page)) });
  return (row) => {
    const page = Math.floor(row / PAGE_DESTINATIONS);
    const read = page === 0 ? first : later[pages.indexOf(page)]?.data;
    return read?.destinations[row % PAGE_DESTINATIONS];
  };
}
