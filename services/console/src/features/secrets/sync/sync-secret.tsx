import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkAnswer } from '../../../../../api/contract/plans.ts';
import { carryOut } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { destinationPath } from '../../../api/queries.ts';
import { destinationsQuery } from '../../../api/summary.ts';
import { useVendors } from '../../../api/vendors.ts';
import { Dialog } from '../../../kit/dialog.tsx';
import kit from '../../../kit/kit.module.css';
import { Cancel } from '../../../kit/leaving/cancel.tsx';
import { Empty, Loaded } from '../../../kit/page.tsx';
import { usePaused } from '../../../kit/paused.ts';
import { LineInput } from '../../../kit/text/line-input.tsx';
import { isAllDone, Outcomes } from '../../plans/outcomes.tsx';
import { planOf } from '../../plans/plan.ts';
import { PlannedDialog } from '../../plans/planned-dialog.tsx';
import type { SecretName } from '../split-path.ts';
import { counted } from '../../../kit/text/counted.ts';
import { Button } from '../../../kit/button.tsx';

type Store = { type: string; name: string };

/** Links a secret to a destination: first the destination is chosen, then its plan is shown. */
export function SyncSecret({
  secret,
  linked,
  close,
}: {
  secret: SecretName;
  /** Destinations that it is linked to already, as `type/name`. */
  linked: Set<string>;
  close: () => void;
}) {
  const [store, choose] = useState<Store | null>(null);
  return store ? (
    <LinkTo secret={secret} store={store} close={close} />
  ) : (
    <ChooseStore secret={secret} linked={linked} choose={choose} close={close} />
  );
}

function ChooseStore({
  secret,
  linked,
  choose,
  close,
}: {
  secret: SecretName;
  linked: Set<string>;
  choose: (store: Store) => void;
  close: () => void;
}) {
  const [search, setSearch] = useState('');
  const text = usePaused(search.trim());
  const vendorOf = useVendors();
  return (
    <Dialog title={`Sync ${secret.path} to…`} close={close} isPassing>
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
                {others.map(({ store_type: type, store_name: name }) => (
                  <li key={`${type}/${name}`} className={kit.row}>
                    <Button onClick={() => choose({ type, name })}>
                      {type}/{name}
                    </Button>
                    <span className={kit.muted}>{vendorOf(type)}</span>
                  </li>
                ))}
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
      <div className={kit.row}>
        <Cancel />
      </div>
    </Dialog>
  );
}

function LinkTo({ secret, store, close }: { secret: SecretName; store: Store; close: () => void }) {
  const queries = useQueryClient();
  const [outcome, setOutcome] = useState<BulkAnswer | null>(null);
  const { type, name } = store;
  const secrets = [{ mount: secret.mount, secret_name: secret.path }];
  const call: Call = {
    method: 'POST',
    path: `${destinationPath(type, name)}/associations/set-many`,
    body: { secrets },
  };
  if (outcome && !isAllDone(outcome))
    return (
      <Dialog title={`Sync ${secret.path} to ${type}/${name}`} close={close}>
        <Outcomes answer={outcome} />
        <div className={kit.row}>
          <Cancel>Close</Cancel>
        </div>
      </Dialog>
    );
  return (
    <PlannedDialog
      title={`Sync ${secret.path} to ${type}/${name}`}
      store={`${type}/${name}`}
      name={name}
      plan={planOf(type, name, { secrets })}
      action={(changes) => (changes ? `Link and write ${counted(changes, 'entry', 'entries')}` : 'Link')}
      call={call}
      close={close}
      carryOut={async () => {
        const answer = await carryOut<BulkAnswer>(call);
        await queries.invalidateQueries();
        setOutcome(answer);
        if (!isAllDone(answer)) throw new Error('The secret was not linked.');
      }}
    />
  );
}
