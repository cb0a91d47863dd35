import { lazy, Suspense, useState } from 'react';
import { readOf, rightFor } from '../../../api/right.ts';
import { Button } from '../../../kit/button.tsx';
import kit from '../../../kit/kit.module.css';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { MOST_SELECTED, type Selection } from '../../plans/selection.ts';
import { deletionOf } from '../lifecycle/delete-secret.tsx';
import { SyncDialog } from '../sync/sync-dialog.tsx';

const DeleteSecrets = lazy(async () => ({ default: (await import('./delete-secrets.tsx')).DeleteSecrets }));

const NO_LINKS = new Set<string>();

// What a deletion does is read secret by secret, and each is deleted by a call of its own.
const MOST_DELETED = 50;

/** What can be done with all ticked secrets together. */
export function SelectedSecrets({ selection }: { selection: Selection }) {
  const [opened, setOpened] = useState<'link' | 'delete' | null>(null);
  const secrets = selection.secrets.map(({ mount, secret_name: path }) => ({ mount, path }));
  if (secrets.length === 0) return null;
  const count = secrets.length.toLocaleString('en');
  const isTooMany = secrets.length > MOST_DELETED;
  return (
    <section
      className={`${kit.card} ${kit.stack} ${kit.tight} ${kit.selected}`}
      aria-label="Selected secrets"
    >
      <div className={kit.row}>
        <strong role="status">
          {count} selected{secrets.length === MOST_SELECTED ? ', the most at once' : ''}
        </strong>
        <GuardedButton
          call={{
            method: 'GET',
            path: 'sys/sync/summary/destinations',
            rights: [rightFor('GET', 'sys/sync/summary/destinations'), ...secrets.map(readOf)],
          }}
          onClick={() => setOpened('link')}
        >
          {`Link selected (${count}) to…`}
        </GuardedButton>
        <GuardedButton
          call={secrets.map(deletionOf)}
          kind="danger"
          disabled={isTooMany}
          title={isTooMany ? `At most ${MOST_DELETED} secrets are deleted at once.` : undefined}
          onClick={() => setOpened('delete')}
        >
          {`Delete selected (${count})…`}
        </GuardedButton>
        <Button kind="quiet" onClick={selection.clear}>
          Clear selection
        </Button>
      </div>
      {opened === 'link' ? (
        <SyncDialog secrets={secrets} linked={NO_LINKS} close={() => setOpened(null)} />
      ) : null}
      {opened === 'delete' ? (
        <Suspense fallback={null}>
          <DeleteSecrets secrets={secrets} deleted={selection.clear} close={() => setOpened(null)} />
        </Suspense>
      ) : null}
    </section>
  );
}
