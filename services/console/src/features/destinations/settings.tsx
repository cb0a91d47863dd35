import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ChangedAnswer, DestinationAnswer } from '../../../../api/contract/destinations.ts';
import type { DestinationTypeAnswer } from '../../../../api/contract/forms.ts';
import { carryOut, ifRevision } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { destinationPath, destinationQuery, schemasQuery } from '../../api/queries.ts';
import { summaryQuery } from '../../api/summary.ts';
import kit from '../../kit/kit.module.css';
import { Loaded } from '../../kit/page.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { EditForm } from '../../schema-form/edit-form.tsx';
import { namesOfSecrets, patchOf } from '../../schema-form/fields.ts';
import { planOf } from '../plans/plan.ts';
import { PlannedDialog } from '../plans/planned-dialog.tsx';
import { CheckTyped } from './check-typed.tsx';
import { DestinationPage } from './destination-page.tsx';
import { ReviewChange } from './review-change.tsx';

const route = getRouteApi('/destinations/$type/$name/settings');
const FIXED = 'Fixed while secrets are linked, because their entries in the store could not be found again.';

/** All settings of a destination that can be changed, in forms made from the schemas that validate them. */
export function DestinationSettings() {
  const { type, name } = route.useParams();
  const destination = useQuery(destinationQuery(type, name));
  const schemas = useQuery(schemasQuery);
  const summary = useQuery(summaryQuery);
  const own = summary.data?.destinations.find((one) => one.store_type === type && one.store_name === name);
  const schema = schemas.data?.destinations.find((one) => one.type === type || one.aliases.includes(type));
  return (
    <DestinationPage type={type} name={name} hasOwnCheck>
      <Loaded query={destination}>
        {(present) => (
          <Loaded query={schemas}>
            {() =>
              schema ? (
                <Form
                  key={`${type}/${name}`}
                  type={type}
                  name={name}
                  present={present}
                  schema={schema}
                  isLinked={(own?.total ?? 1) > 0}
                />
              ) : null
            }
          </Loaded>
        )}
      </Loaded>
    </DestinationPage>
  );
}

type Present = {
  type: string;
  name: string;
  present: DestinationAnswer & ChangedAnswer;
  schema: DestinationTypeAnswer;
  isLinked: boolean;
};

function Form({ type, name, present, schema, isLinked }: Present) {
  const queries = useQueryClient();
  const { queryKey } = destinationQuery(type, name);
  const { connection_details: details, options, ...own } = present;
  const [tested, setTested] = useState('');
  const values = { ...details, ...options, granularity: options['granularity_level'] };
  return (
    <>
      <EditForm
        sections={[
          { title: schema.title, fields: schema.settings },
          { title: 'What is written, and how', fields: schema.options },
        ]}
        stored={{ ...own, values }}
        fixed={isLinked ? schema.fixed_settings : []}
        fixedReason={FIXED}
        review={(edits, answer) => (
          <ReviewChange
            type={type}
            name={name}
            schema={schema}
            body={patchOf(edits, values)}
            revision={own.revision}
            save={(result) => {
              setTested(result);
              return answer.save();
            }}
            close={answer.close}
            refuse={answer.refuse}
          />
        )}
        beside={(edits) => (
          <CheckTyped
            type={type}
            name={name}
            edits={edits}
            body={patchOf(edits, values)}
            secrets={namesOfSecrets(schema.settings)}
          />
        )}
        savedText={`Saved. ${tested}Affected secrets are synced again.`}
        callOf={(edits, revision) => ({
          method: 'PATCH',
          path: destinationPath(type, name),
          body: patchOf(edits, values),
          headers: ifRevision(revision),
        })}
        save={async (change) => {
          await carryOut(change);
          await queries.invalidateQueries();
        }}
        reload={() => queries.refetchQueries({ queryKey })}
      />
      <Removal type={type} name={name} />
    </>
  );
}

function Removal({ type, name }: { type: string; name: string }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const removal: Call = { method: 'DELETE', path: `${destinationPath(type, name)}?purge=true` };
  return (
    <section className={`${kit.card} ${kit.stack} ${kit.tight}`}>
      <h2>Remove this destination</h2>
      <p className={kit.muted}>
        Unlinks every secret, deletes what was written to the store, then the destination.
      </p>
      <div>
        <GuardedButton call={removal} kind="danger" onClick={() => setIsOpen(true)}>
          Remove…
        </GuardedButton>
      </div>
      {isOpen ? (
        <PlannedDialog
          title={`Remove ${type}/${name}`}
          store={`${type}/${name}`}
          name={name}
          plan={planOf(type, name, { unlink: true })}
          action={(changes) => (changes === 0 ? 'Remove' : 'Delete in the store and remove')}
          isCareful
          close={() => setIsOpen(false)}
          call={removal}
          carryOut={async () => {
            await carryOut(removal);
            await queries.invalidateQueries();
            await navigate({ to: '/destinations', ignoreBlocker: true });
          }}
        >
          <p>
            Every entry that Sealift wrote to this store is deleted there, unless the deletion policy is{' '}
            <code>retain</code>. Entries of others are left alone.
          </p>
        </PlannedDialog>
      ) : null}
    </section>
  );
}
