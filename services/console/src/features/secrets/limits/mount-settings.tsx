import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { LimitsAnswer } from '../../../../../api/contract/secrets.ts';
import { carryOut, pathOf } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { Dialog } from '../../../kit/dialog.tsx';
import { TypedName } from '../../../kit/confirm.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import kit from '../../../kit/kit.module.css';
import { Loaded } from '../../../kit/page.tsx';
import { LabelledLine } from '../../../kit/text/labelled-line.tsx';
import { sortFaults } from '../../../schema-form/fields.ts';
import { absent, editsBetween, rebased, useBegun } from '../../../schema-form/meanwhile/begun.tsx';
import {
  BY_DEFAULT,
  changedLimits,
  checkLimits,
  LimitFields,
  TYPED_LIMITS,
  typedLimits,
  valuesOfLimits,
  type TypedLimits,
} from './limit-fields.tsx';
import { describedMountsQuery, mountLimitsQuery } from '../queries.ts';
import { LossNotice, useMountLoss } from './losing.tsx';

const FIELDS = [{ name: 'description' }, ...TYPED_LIMITS];

/** Changes the description and the limits of a mount. */
export function MountSettings({ mount, close }: { mount: string; close: () => void }) {
  const limits = useQuery(mountLimitsQuery(mount));
  const mounts = useQuery(describedMountsQuery);
  const described = mounts.data?.find(([path]) => path === mount)?.[1];
  if (limits.data && described)
    return <Form mount={mount} limits={limits.data} description={described.description} close={close} />;
  return (
    <Dialog title={`Settings of ${mount}/`} close={close}>
      <Loaded query={limits.data ? mounts : limits}>{() => null}</Loaded>
    </Dialog>
  );
}

type Settings = { limits: TypedLimits; description: string };

const valuesOf = ({ limits, description }: Settings): Record<string, unknown> => ({
  description,
  ...valuesOfLimits(limits),
});

async function readSettings(queries: QueryClient, mount: string): Promise<Settings> {
  const mounts = await queries.fetchQuery({ ...describedMountsQuery, staleTime: 0 });
  const described = mounts.find(([path]) => path === mount)?.[1];
  if (!described) throw absent();
  const limits = await queries.fetchQuery({ ...mountLimitsQuery(mount), staleTime: 0 });
  return { limits: typedLimits(limits), description: described.description };
}

// `description`: undefined if it stays.
function callsOf(mount: string, description: string | undefined, changes: object): Call[] {
  const calls: Call[] = [];
  if (description !== undefined)
    calls.push({ method: 'POST', path: `sys/mounts/${pathOf(mount)}/tune`, body: { description } });
  if (Object.keys(changes).length > 0)
    calls.push({ method: 'POST', path: `${pathOf(mount)}/config`, body: changes });
  return calls;
}

function Form(props: { mount: string; limits: LimitsAnswer; description: string; close: () => void }) {
  const { mount, close } = props;
  const queries = useQueryClient();
  const [limits, setLimits] = useState(() => typedLimits(props.limits));
  const [description, setDescription] = useState(props.description);
  const { begun: before, meanwhile } = useBegun({
    fields: FIELDS,
    stored: { limits: typedLimits(props.limits), description: props.description },
    describe: (stored) => ({ values: valuesOf(stored) }),
    reread: () => readSettings(queries, mount),
    yoursOver: (stored) => editsBetween(valuesOf(stored), valuesOf({ limits, description })),
    rebase: (theirs, { limits: first, description: text }) => {
      setLimits(rebased(limits, { before: first, now: theirs.limits }));
      if (description === text) setDescription(theirs.description);
    },
    close,
  });
  const changes = changedLimits(before.limits, limits);
  const [typed, setTyped] = useState('');
  const loss = useMountLoss(mount, Number(before.limits.most), limits.most);
  const calls = callsOf(mount, description === before.description ? undefined : description, changes);
  return (
    <FormDialog
      title={`Settings of ${mount}/`}
      action="Save"
      isReady={calls.length > 0 && !loss?.isPending && (!loss?.isLosing || typed === mount)}
      isDangerous={loss?.isLosing}
      call={calls}
      close={close}
      meanwhile={meanwhile}
      carryOut={async () => {
        checkLimits(limits);
        for (const call of calls) await carryOut(call);
        await queries.invalidateQueries();
      }}
    >
      {(failure) => {
        const { byField, ...faults } = sortFaults(failure, FIELDS);
        const body = (
          <>
            <LabelledLine
              label="Description"
              fault={byField['description']}
              value={description}
              change={setDescription}
            />
            <p className={kit.muted}>These limits apply to all secrets of the mount.</p>
            <LimitFields typed={limits} change={setLimits} inherited={BY_DEFAULT} faults={byField} />
            {loss ? <LossNotice loss={loss} /> : null}
            {loss?.isLosing ? <TypedName name={mount} typed={typed} set={setTyped} /> : null}
          </>
        );
        return { body, ...faults };
      }}
    </FormDialog>
  );
}
