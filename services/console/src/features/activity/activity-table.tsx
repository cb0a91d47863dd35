import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { actorText } from '../../../../../libs/telling/actor.ts';
import { AUDIT } from '../../api/right.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { Empty } from '../../kit/page.tsx';
import { spanFaults } from '../../kit/picker/span.ts';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { Table } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { filterText, type ActivityFilter } from './filter.ts';

/** What happened, who did it, and how it ended; the newest line first. `children` are its `ActivityRow`s. */
export function ActivityTable({ children }: { children: ReactNode }) {
  return <Table columns={['When', 'Who', 'What', 'Outcome']}>{children}</Table>;
}

/** A line of an activity. `address`: where the request came from. */
export function ActivityRow({
  at,
  who,
  address,
  what,
  outcome,
}: {
  at: string | Date;
  who: ReactNode;
  address?: string | null | undefined;
  what: ReactNode;
  outcome: ReactNode;
}) {
  return (
    <tr>
      <td>
        <Time at={at} />
      </td>
      <td>
        {who}
        {address ? <p className={`${kit.small} ${kit.muted}`}>{address}</p> : null}
      </td>
      <td>{what}</td>
      <td>{outcome}</td>
    </tr>
  );
}

/** Leads to all that somebody did, in the trail: whoever may not read it has the name alone. */
export function Doer({ name }: { name: string }) {
  const mayRead = useHasRights([AUDIT]);
  if (!mayRead) return actorText(name);
  return (
    <Link to="/audit" search={{ who: name }}>
      {actorText(name)}
    </Link>
  );
}

/** Says that a filter finds nothing, and what is `elsewhere`. Without a filter, `children` tell why there is nothing. */
export function NothingFound({
  filter,
  clear,
  noun = 'entry',
  elsewhere,
  children,
}: {
  filter: ActivityFilter;
  clear: () => void;
  noun?: string;
  elsewhere?: string | undefined;
  children: ReactNode;
}) {
  const text = filterText(filter);
  if (text === '') return children;
  const action = <Button onClick={clear}>Clear the filter</Button>;
  const { title } = spanFaults(filter);
  if (title) return <Empty title={title} action={action} />;
  return (
    <Empty title="Nothing found" action={action}>
      There is no {noun} {text}. {elsewhere}
    </Empty>
  );
}
