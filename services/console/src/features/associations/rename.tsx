import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RecordAnswer } from '../../../../api/contract/associations.ts';
import type { PlanAnswer } from '../../../../api/contract/plans.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { refusalAt, type ApiFailure } from '../../api/failure.ts';
import { destinationPath, destinationQuery } from '../../api/queries.ts';
import { readOf, rightFor } from '../../api/right.ts';
import { Button } from '../../kit/button.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import kit from '../../kit/kit.module.css';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { Field } from '../../kit/text/field.tsx';
import { LineInput } from '../../kit/text/line-input.tsx';
import { sortFaults } from '../../schema-form/fields.ts';
import { ifUnchanged, ONLY_SEEN, planOf } from '../plans/plan.ts';
import { PlannedDialog } from '../plans/planned-dialog.tsx';
import { EndedNotice, ReplacedNotice } from '../pauses/replaced-notices.tsx';
import { entries } from '../problems/retry-button.tsx';
import type { SecretName } from '../secrets/split-path.ts';

const FIELD = { name: 'secret_name_template', title: 'Name in the store' };

type Linked = { type: string; name: string; secret: SecretName; records: RecordAnswer[] };

/** A template under review, and what comes after it: `refuse` takes a failure, or null if the user went back. */
type Review = { template: string; done: () => void; refuse: (failure: unknown) => void };

/** Gives a link a name of its own in the store, or takes it away; asks with a plan first. */
export function Rename({ type, name, secret, records }: Linked) {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [review, setReview] = useState<Review | null>(null);
  const template = review?.template ?? '';
  const path = `${destinationPath(type, name)}/associations/set`;
  const ref = { mount: secret.mount, secret_name: secret.path };
  const rights = [rightFor('POST', path), readOf(secret)];
  const set: Call = { method: 'POST', path, rights };
  const call: Call = { ...set, body: { ...ref, secret_name_template: template, ...ifUnchanged(records[0]) } };
  const goBack = (failure: unknown): void => {
    setReview(null);
    review?.refuse(failure);
  };
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
          review={(chosen) => new Promise((done, refuse) => setReview({ template: chosen, done, refuse }))}
          close={() => setIsOpen(false)}
        />
      ) : null}
      {review ? (
        <PlannedDialog
          title={`Rename ${secret.path} in ${name}`}
          type={type}
          store={name}
          name={name}
          plan={planOf(type, name, { secrets: [{ ...ref, secret_name_template: template }], ...ONLY_SEEN })}
          action={(changes) => (changes ? `Rename and change ${entries(changes)}` : 'Rename')}
          obstacle={template === '' ? undefined : obstacleOf}
          refuse={template === '' ? undefined : goBack}
          close={() => goBack(null)}
          call={call}
          carryOut={async () => {
            await carryOut(call);
            await queries.invalidateQueries();
            review.done();
          }}
        >
          <ReplacedNotice waiting={records[0]?.waiting} />
          {records[0]?.waiting ? null : (
            <EndedNotice decision={records.find(({ decision }) => decision)?.decision} />
          )}
          <p>
            An entry that Sealift wrote under the old name is deleted once the new one is written, unless the
            deletion policy is Retain. An entry that isn’t managed by Sealift stays as it is.
          </p>
        </PlannedDialog>
      ) : null}
    </>
  );
}

// The service refuses a name of another link; another entry's name would only end in a conflict.
function obstacleOf({ totals, secrets }: PlanAnswer): ApiFailure | undefined {
  const faults = secrets.flatMap(({ error }) => error ?? []);
  if (totals['conflict'] || totals['taken']) faults.push('This name is taken. Choose another one.');
  if (totals['refused']) faults.push('The store doesn’t take this name. Choose another one.');
  return faults[0] === undefined ? undefined : refusalAt(FIELD.name, faults[0]);
}

function Ask({
  type,
  name,
  secret,
  records,
  review,
  close,
}: Linked & {
  /** Resolves once the link has that name; fails if the name is refused, or with null. */
  review: (template: string) => Promise<void>;
  close: () => void;
}) {
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
      carryOut={() => review(text)}
    >
      {(failure) => {
        const { byField, rest } = sortFaults(failure, [FIELD]);
        const body = (
          <>
            <NameField text={text} change={setTyped} hasKeys={hasKeys} fault={byField[FIELD.name]} />
            {own === null ? null : (
              <div className={kit.row}>
                <Button onClick={() => void review('').then(close, () => undefined)}>
                  Use the destination’s names again
                </Button>
              </div>
            )}
          </>
        );
        return { body, rest };
      }}
    </FormDialog>
  );
}

function NameField({
  text,
  change,
  hasKeys,
  fault,
}: {
  text: string;
  change: (text: string) => void;
  hasKeys: boolean;
  fault: string | undefined;
}) {
  const about = hasKeys ? (
    <>
      Each key has its own entry, so the name must contain <code>{'{{ .SecretKey }}'}</code>.
    </>
  ) : (
    <>
      A template such as <code>{'prod/{{ .SecretBaseName }}'}</code> works too.
    </>
  );
  return (
    <Field label={FIELD.title} about={<>For this secret alone, from now on. {about}</>} fault={fault}>
      {(control) => <LineInput {...control} value={text} change={change} translate="no" />}
    </Field>
  );
}
