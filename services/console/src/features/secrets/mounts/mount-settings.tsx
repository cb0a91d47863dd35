import { useQuery, useQueryClient } from '@tanstack/react-query';
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
import { changedLimits, checkLimits, LimitFields, LIMITS, typedLimits } from '../limits/limit-fields.tsx';
import { describedMountsQuery, mountLimitsQuery } from '../queries.ts';
import { BY_DEFAULT } from './create-mount.tsx';
import { LossNotice, useMountLoss } from './losing.tsx';

const FIELDS = [{ name: 'description' }, ...LIMITS];

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

function Form(props: { mount: string; limits: LimitsAnswer; description: string; close: () => void }) {
  const { mount, close } = props;
  const queries = useQueryClient();
  // What the form began with: a later read must not change what the user is typing.
  const [before] = useState({ limits: typedLimits(props.limits), description: props.description });
  const [limits, setLimits] = useState(before.limits);
  const [description, setDescription] = useState(before.description);
  const changes = changedLimits(before.limits, limits);
  const [typed, setTyped] = useState('');
  const loss = useMountLoss(mount, Number(before.limits.most), limits.most);
  const calls: Call[] = [
    ...(description === before.description
      ? []
      : [{ method: 'POST' as const, path: `sys/mounts/${pathOf(mount)}/tune`, body: { description } }]),
    ...(Object.keys(changes).length === 0
      ? []
      : [{ method: 'POST' as const, path: `${pathOf(mount)}/config`, body: changes }]),
  ];
  return (
    <FormDialog
      title={`Settings of ${mount}/`}
      action="Save"
      isReady={calls.length > 0 && !loss?.isPending && (!loss?.isLosing || typed === mount)}
      isDangerous={loss?.isLosing}
      call={calls}
      close={close}
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
