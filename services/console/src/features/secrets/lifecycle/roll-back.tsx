import { useQuery, useQueryClient } from '@tanstack/react-query';
import { carryOut } from '../../../api/client.ts';
import { diffQuery } from '../../../api/queries.ts';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import kit from '../../../kit/kit.module.css';
import { Reach } from '../reach/reach.tsx';
import type { SecretName } from '../split-path.ts';
import { rollbackOf } from './rollback-of.ts';

/** Writes the values of an earlier version as a new one. They do not come to the browser. */
export function RollBack({
  secret,
  version,
  current,
  close,
}: {
  secret: SecretName;
  version: number;
  current: number;
  close: () => void;
}) {
  const queries = useQueryClient();
  const { data } = useQuery(diffQuery(secret.mount, secret.path, version, current));
  const call = rollbackOf(secret, version, current);
  const changed = Object.entries(data?.keys ?? {}).filter(([, difference]) => difference !== 'same');
  const gone = changed.filter(([, difference]) => difference === 'added');
  return (
    <FormDialog
      title={`Roll back to version ${version}`}
      action={`Save v${version} as v${current + 1}`}
      call={call}
      close={close}
      carryOut={async () => {
        await carryOut(call);
        await queries.invalidateQueries();
      }}
    >
      {(failure) => ({
        body: (
          <>
            <p>
              Creates version {current + 1} with the keys and values of version {version}. Version {current}{' '}
              is kept.
            </p>
            {data ? (
              <p className={kit.muted}>
                {changed.length === 0
                  ? `It has the same values as v${current}.`
                  : `Compared with v${current}: ${describe(changed)}.`}
              </p>
            ) : null}
            <Reach secret={secret} isRemoving={gone.length > 0} />
          </>
        ),
        rest: explain(failure, current),
      })}
    </FormDialog>
  );
}

// The comparison goes from the older version to the newer one, and a roll back the other way.
const BACK = [
  ['removed', 'added'],
  ['added', 'removed'],
  ['changed', 'changed'],
] as const;

function describe(changed: [key: string, difference: string][]): string {
  return BACK.flatMap(([difference, word]) => {
    const keys = changed.filter(([, found]) => found === difference).map(([key]) => key);
    return keys.length > 0 ? [`${word}: ${keys.join(', ')}`] : [];
  }).join('; ');
}

function explain(failure: unknown, current: number): unknown {
  const isStale = failure instanceof Error && failure.message.includes('check-and-set');
  if (!isStale) return failure;
  return new Error(`Someone saved a newer version than v${current}. Nothing was saved. Review it first.`);
}
