import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { RecordAnswer } from '../../../../api/contract/associations.ts';
import type { PlanAnswer } from '../../../../api/contract/plans.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { destinationPath, destinationQuery } from '../../api/queries.ts';
import { readOf, rightFor } from '../../api/right.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import kit from '../../kit/kit.module.css';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { LineInput } from '../../kit/text/line-input.tsx';
import { planOf } from '../plans/plan.ts';
import { PlannedDialog } from '../plans/planned-dialog.tsx';
import { entries } from '../problems/retry-button.tsx';
import type { SecretName } from '../secrets/split-path.ts';

type Linked = { type: string; name: string; secret: SecretName; records: RecordAnswer[] };

/** Gives a link a name of its own in the store, or takes it away; asks with a plan first. */
export function Rename({ type, name, secret, records }: Linked) {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [template, setTemplate] = useState<string | null>(null);
  const path = `${destinationPath(type, name)}/associations/set`;
  const ref = { mount: secret.mount, secret_name: secret.path };
  const rights = [rightFor('POST', path), readOf(secret)];
  const set: Call = { method: 'POST', path, rights };
  const call: Call = { ...set, body: { ...ref, secret_name_template: template ?? '' } };
  return (
    <>
      <GuardedButton call={set} onClick={() => setIsOpen(true)}>
        Give the link another name…
      </GuardedButton>
      {isOpen ? (
        <Ask
          type={type}
          name={name}
          secret={secret}
          records={records}
          choose={setTemplate}
          close={() => setIsOpen(false)}
        />
      ) : null}
      {template === null ? null : (
        <PlannedDialog
          title={`Rename ${secret.path} in ${name}`}
          store={name}
          name={name}
          plan={planOf(type, name, { secrets: [{ ...ref, secret_name_template: template }] })}
          action={(changes) => (changes ? `Rename and change ${entries(changes)}` : 'Rename')}
          obstacle={(plan) => (template === '' ? undefined : obstacleOf(plan))}
          close={() => setTemplate(null)}
          call={call}
          carryOut={async () => {
            await carryOut(call);
            await queries.invalidateQueries();
          }}
        >
          <p>
            An entry that Sealift wrote under the old name is deleted once the new one is written, unless the
            deletion policy is retain. An entry that isn’t managed by Sealift stays as it is.
          </p>
        </PlannedDialog>
      )}
    </>
  );
}

// The service refuses a name of another link; another entry's name would only end in a conflict.
function obstacleOf({ totals }: PlanAnswer): string | undefined {
  if (totals['conflict'] || totals['taken']) return 'This name is taken. Choose another one.';
  return totals['refused'] ? 'The store doesn’t take this name. Choose another one.' : undefined;
}

function Ask({
  type,
  name,
  secret,
  records,
  choose,
  close,
}: Linked & { choose: (template: string) => void; close: () => void }) {
  const id = useId();
  const { data: destination } = useQuery(destinationQuery(type, name));
  const [first] = records;
  const own = first?.secret_name_template ?? null;
  const hasKeys = destination?.options.granularity_level === 'secret-key';
  const common = destination?.options.secret_name_template;
  // A name that differs from key to key cannot be shown as one name.
  const known = own ?? (hasKeys ? common : first?.external_name);
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? known ?? '';
  return (
    <FormDialog
      title={`Rename ${secret.path} in ${name}`}
      action="Preview changes"
      isReady={text.trim() !== '' && text !== known}
      call={null}
      close={close}
      carryOut={() => Promise.resolve(choose(text))}
    >
      <div className={kit.field}>
        <label htmlFor={id}>Name in the store</label>
        <LineInput id={id} value={text} change={setTyped} translate="no" aria-describedby={`${id}-help`} />
        <p id={`${id}-help`} className={`${kit.small} ${kit.muted}`}>
          For this secret alone, from now on.{' '}
          {hasKeys ? (
            <>
              Each key has its own entry, so the name must contain <code>{'{{ .SecretKey }}'}</code>.
            </>
          ) : (
            <>
              A template such as <code>{'prod/{{ .SecretBaseName }}'}</code> works too.
            </>
          )}
        </p>
      </div>
      {own === null ? null : (
        <div className={kit.row}>
          <button
            type="button"
            className={kit.button}
            onClick={() => {
              choose('');
              close();
            }}
          >
            Use the destination’s names again
          </button>
        </div>
      )}
    </FormDialog>
  );
}
