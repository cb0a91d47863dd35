import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkAnswer } from '../../../../../api/contract/plans.ts';
import { destinationsQuery } from '../../../api/summary.ts';
import { useDestinationName } from '../../../api/vendors.ts';
import { Dialog } from '../../../kit/dialog.tsx';
import kit from '../../../kit/kit.module.css';
import { Cancel } from '../../../kit/leaving/cancel.tsx';
import { Empty, Loaded } from '../../../kit/page.tsx';
import { usePaused } from '../../../kit/paused.ts';
import { LineInput } from '../../../kit/text/line-input.tsx';
import { isAllDone } from '../../plans/done.ts';
import { Outcomes } from '../../plans/outcomes.tsx';
import { changeAll, changesOf, plansOf } from '../../plans/many.ts';
import { WorstStatus } from '../../destinations/list/worst-status.tsx';
import { PlannedDialog } from '../../plans/planned-dialog.tsx';
import type { SecretName } from '../split-path.ts';
import { counted } from '../../../kit/text/counted.ts';
import { Button } from '../../../kit/button.tsx';

type Store = { type: string; name: string };

/** Links secrets to a destination: first the destination is chosen, then its plan is shown. */
export function SyncSecret({
  secrets,
  linked,
  close,
}: {
  secrets: SecretName[];
  /** Destinations that are linked already, as `type/name`. */
  linked: Set<string>;
  close: () => void;
}) {
  const [store, choose] = useState<Store | null>(null);
  const subject = secrets.length === 1 && secrets[0] ? secrets[0].path : counted(secrets.length, 'secret');
  return (
    <>
      <ChooseStore subject={subject} linked={linked} choose={choose} close={close} />
      {store ? (
        <LinkTo subject={subject} secrets={secrets} store={store} back={() => choose(null)} close={close} />
      ) : null}
    </>
  );
}

function ChooseStore({
  subject,
  linked,
  choose,
  close,
}: {
  subject: string;
  linked: Set<string>;
  choose: (store: Store) => void;
  close: () => void;
}) {
  const [search, setSearch] = useState('');
  const text = usePaused(search.trim());
  const nameOf = useDestinationName();
  return (
    <Dialog title={`Sync ${subject} to…`} close={close} isPassing>
      <LineInput
        type="search"
        autoFocus
        aria-label="Search destinations"
        placeholder="Search destinations"
        value={search}
        change={setSearch}
      />
      <Loaded query={useQuery(destinationsQuery({ q: text || undefined }, 0))}>
        {({ destinations, total }) => {
          const others = destinations.filter(
            ({ store_type: type, store_name: name }) => !linked.has(`${type}/${name}`),
          );
          if (text === '' && total <= linked.size)
            return <Empty title="No other destination">Connect one first.</Empty>;
          return (
            <>
              <ul className={`${kit.stack} ${kit.tight} ${kit.scroll}`}>
                {others.map((destination) => {
                  const { store_type: type, store_name: name } = destination;
                  return (
                    <li key={`${type}/${name}`} className={kit.row}>
                      <Button onClick={() => choose({ type, name })}>{nameOf(type, name)}</Button>
                      <WorstStatus of={destination} />
                      {destination.paused ? <span className={kit.chip}>Paused</span> : null}
                    </li>
                  );
                })}
              </ul>
              <p className={kit.muted} role="status">
                {total > destinations.length
                  ? `The first ${destinations.length} of ${total.toLocaleString('en')}: search for the others.`
                  : counted(others.length, 'destination')}
              </p>
            </>
          );
        }}
      </Loaded>
      <div className={`${kit.row} ${kit.actions}`}>
        <Cancel />
      </div>
    </Dialog>
  );
}

function LinkTo({
  subject,
  secrets,
  store,
  back,
  close,
}: {
  subject: string;
  secrets: SecretName[];
  store: Store;
  /** To the choice of another destination. */
  back: () => void;
  close: () => void;
}) {
  const queries = useQueryClient();
  const [outcome, setOutcome] = useState<BulkAnswer | null>(null);
  const { type, name } = store;
  const shown = useDestinationName()(type, name);
  const refs = secrets.map(({ mount, path }) => ({ mount, secret_name: path }));
  const calls = changesOf(store, 'set-many', refs);
  if (outcome && !isAllDone(outcome))
    return (
      <Dialog title={`Sync ${subject} to ${shown}`} close={close}>
        <Outcomes answer={outcome} />
        <div className={kit.row}>
          <Cancel>Close</Cancel>
        </div>
      </Dialog>
    );
  return (
    <PlannedDialog
      title={`Sync ${subject} to ${shown}`}
      type={type}
      store={shown}
      name={name}
      plan={plansOf(store, refs)}
      action={(changes) => (changes ? `Link and write ${counted(changes, 'entry', 'entries')}` : 'Link')}
      call={calls[0] ?? null}
      close={back}
      carryOut={async () => {
        const answer = await changeAll(calls);
        await queries.invalidateQueries();
        setOutcome(answer);
        if (!isAllDone(answer)) throw new Error('Not every secret was linked.');
        close();
      }}
    />
  );
}
