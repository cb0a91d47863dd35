import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { carryOut } from '../../../api/client.ts';
import { useOnce, type Once } from '../../../api/once.ts';
import { useStoreName } from '../../../api/vendors.ts';
import { ConfirmByName } from '../../../kit/confirm.tsx';
import { FailureNotice } from '../../../kit/failure-notice.tsx';
import kit from '../../../kit/kit.module.css';
import { Notice } from '../../../kit/notice.tsx';
import { Skeleton } from '../../../kit/page.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { deletionOf } from '../lifecycle/delete-secret.tsx';
import type { SecretName } from '../split-path.ts';
import { readDeletion } from './deletion.ts';

/** Deletes several secrets with all their versions, after saying what that does at their destinations. */
export function DeleteSecrets({
  secrets,
  deleted,
  close,
}: {
  secrets: SecretName[];
  deleted: () => void;
  close: () => void;
}) {
  const queries = useQueryClient();
  const [work] = useState(() => () => readDeletion(queries, secrets));
  const once = useOnce(work);
  const many = counted(secrets.length, 'secret');
  return (
    <ConfirmByName
      title={`Delete ${many}`}
      name={many}
      action="Delete for good"
      isBlocked={once.isPending}
      call={secrets.map(deletionOf)}
      close={close}
      carryOut={async () => {
        try {
          // One after the other: where one is refused, those before it are gone, and the list shows it.
          for (const secret of secrets) await carryOut(deletionOf(secret));
          deleted();
        } finally {
          await queries.invalidateQueries();
        }
      }}
    >
      <p>All versions and the metadata of these secrets will be deleted immediately and permanently:</p>
      <div className={kit.scroll} role="region" aria-label="Secrets to delete" tabIndex={0}>
        <ul>
          {secrets.map(({ mount, path }) => (
            <li key={`${mount}/${path}`}>
              <code>
                {mount}/{path}
              </code>
            </li>
          ))}
        </ul>
      </div>
      <AtDestinations of={once} />
    </ConfirmByName>
  );
}

type Deletion = Awaited<ReturnType<typeof readDeletion>>;

function AtDestinations({ of: { data, failure, isPending } }: { of: Once<Deletion> }) {
  const nameOf = useStoreName();
  return (
    <>
      {isPending ? <Skeleton rows={2} /> : null}
      {failure ? (
        <>
          <FailureNotice failure={failure} />
          <Notice tone="limited">It is unknown what this would delete at their destinations.</Notice>
        </>
      ) : null}
      {data?.length === 0 ? <p className={kit.muted}>None is linked to a destination.</p> : null}
      {data && data.length > 0 ? (
        <Notice tone="limited">
          <p>At their destinations:</p>
          <ul>
            {data.map(({ store, text }) => (
              <li key={store}>
                <strong>{nameOf(store)}</strong>: {text}
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
    </>
  );
}
