import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { ChangedAnswer, DestinationAnswer } from '../../../../api/contract/destinations.ts';
import type { DestinationTypeAnswer, FieldAnswer } from '../../../../api/contract/forms.ts';
import { carryOut, carryOutWarned, ifRevision } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import {
  credentialsQuery,
  destinationPath,
  destinationQuery,
  identityQuery,
  identityRight,
  schemasQuery,
} from '../../api/queries.ts';
import { ownSummaryQuery } from '../../api/summary.ts';
import kit from '../../kit/kit.module.css';
import { Fold } from '../../kit/narrow/fold.tsx';
import { Loaded } from '../../kit/page.tsx';
import { keepInSight } from '../../kit/refusing/in-sight.ts';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { EditForm, type SectionPart } from '../../schema-form/edit-form.tsx';
import { isNetwork, patchOf, titleOf, withoutNeedless } from '../../schema-form/fields.ts';
import { withPlaceholders } from '../../schema-form/notes.ts';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { planOf } from '../plans/plan.ts';
import { PlannedDialog } from '../plans/planned-dialog.tsx';
import { CREDENTIALS_PART } from '../problems/remedy.tsx';
import { useResync } from '../problems/resync.ts';
import { fieldsOfModes } from '../sign-in-modes/modes.ts';
import type { Known } from '../sign-in-modes/set-up.tsx';
import { StoredSignIn } from '../sign-in-modes/stored-sign-in.tsx';
import { CheckTyped } from './check-typed.tsx';
import { DestinationPage } from './destination-page.tsx';
import { ReviewChange } from './review-change.tsx';

const route = getRouteApi('/destinations/$type/$name/settings');
const FIXED = 'Can’t be changed while secrets are linked: Sealift would lose track of their entries.';

/** All settings of a destination that can be changed, in forms made from the schemas that validate them. */
export function DestinationSettings() {
  const { type, name } = route.useParams();
  const destination = useQuery(destinationQuery(type, name));
  const schemas = useQuery(schemasQuery);
  const { data: own, isPending } = useQuery(ownSummaryQuery(type, name));
  const problems = (own?.problems ?? []).map(({ cause }) => cause?.message ?? '').join(' ');
  const schema = schemas.data?.destinations.find((one) => one.type === type || one.aliases.includes(type));
  return (
    <DestinationPage type={type} name={name} hasOwnCheck remains={destination.data !== undefined}>
      <Loaded query={destination}>
        {(present) => (
          <Loaded query={schemas}>
            {({ placeholders }) =>
              schema ? (
                <Form
                  key={`${type}/${name}`}
                  type={type}
                  name={name}
                  present={present}
                  schema={{ ...schema, options: withPlaceholders(schema.options, placeholders) }}
                  total={own?.total ?? null}
                  problems={isPending ? undefined : problems}
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
  /** The number of its links; null while it is not known. */
  total: number | null;
  /** What its causes say; undefined while that is not known. */
  problems: string | undefined;
};

function Form({ type, name, present, schema, total, problems }: Present) {
  const queries = useQueryClient();
  const { connection_details: details, options, ...own } = present;
  const { data: inUse } = useQuery(credentialsQuery(type, name));
  const known = useKnown(type, name, schema);
  const [tested, setTested] = useState('');
  const resync = useResync(type, name, total);
  const said = `Saved. ${tested}${resync.text}`;
  const credentials = useLedToCredentials(schema, problems);
  const values = { ...details, ...options, granularity: options['granularity_level'] };
  const bodyOf = (edits: Edits) =>
    patchOf(withoutNeedless(schema.settings, { values: details, edits }), values);
  return (
    <div ref={credentials} className={kit.stack}>
      <EditForm
        sections={sectionsOf(schema, name, known)}
        stored={{ ...own, values }}
        fixed={total === 0 ? [] : schema.fixed_settings}
        fixedReason={FIXED}
        inUse={{ ...inUse, ...(known?.aud ? { identity_token_audience: known.aud } : {}) }}
        review={(edits, answer) => (
          <ReviewChange
            type={type}
            name={name}
            schema={schema}
            body={bodyOf(edits)}
            revision={own.revision}
            total={total}
            save={(result) => {
              setTested(result);
              return answer.save();
            }}
            close={answer.close}
            refuse={answer.refuse}
          />
        )}
        beside={(edits, trial) => (
          <CheckTyped type={type} name={name} body={bodyOf(edits)} fields={schema.settings} trial={trial} />
        )}
        savedText={said}
        savedDoubt={resync.isFailing ? said : ''}
        callOf={(edits, revision) => ({
          method: 'PATCH',
          path: destinationPath(type, name),
          body: bodyOf(edits),
          headers: ifRevision(revision),
        })}
        save={async (change) => {
          const { warnings } = await carryOutWarned(change);
          resync.begin();
          await queries.invalidateQueries();
          return warnings;
        }}
        reload={() => queries.refetchQueries(destinationQuery(type, name))}
      />
      <Removal type={type} name={name} />
    </div>
  );
}

function sectionsOf(schema: DestinationTypeAnswer, name: string, known: Known | undefined) {
  const { title, settings, options, modes } = schema;
  const ofModes = fieldsOfModes(schema);
  const signIn = {
    title: 'Sign-in',
    fields: ofModes,
    draw: ({ form, ...part }: SectionPart) => (
      <StoredSignIn schema={schema} name={name} known={known} draw={form} {...part} />
    ),
  };
  return [
    ...(modes.length > 0 ? [signIn] : []),
    { title, fields: settings.filter((field) => !isNetwork(field) && !ofModes.includes(field)) },
    { title: 'Network restrictions', fields: settings.filter(isNetwork), isFolded: true },
    { title: 'Sync options', fields: options, isFolded: true },
  ];
}

// What the set-up at the store must name; undefined where there is nothing to know, or no right to know it.
function useKnown(type: string, name: string, { identity }: DestinationTypeAnswer): Known | undefined {
  const mayRead = useHasRights([identityRight(type, name)]);
  return useQuery({ ...identityQuery(type, name), enabled: mayRead && identity !== null }).data;
}

// Who comes to replace credentials finds the fields open that the causes name, or else all, and the cursor in the first.
function useLedToCredentials({ settings }: DestinationTypeAnswer, problems: string | undefined) {
  const form = useRef<HTMLDivElement>(null);
  const wasLed = useRef(false);
  const isLed = useLocation({ select: ({ hash }) => hash === CREDENTIALS_PART });
  useEffect(() => {
    if (!isLed) wasLed.current = false;
    if (!isLed || problems === undefined || wasLed.current || !form.current) return;
    wasLed.current = true;
    const stored = [...form.current.querySelectorAll<HTMLElement>('[data-stored-secret]')];
    const named = stored.filter(({ dataset }) =>
      settings.some((field) => field.name === dataset['storedSecret'] && isNamed(field, problems)),
    );
    // One after the other, so that the first keeps the cursor.
    for (const row of (named.length > 0 ? named : stored).toReversed())
      setTimeout(() => row.querySelector('button')?.click());
    setTimeout(() => {
      const field = form.current?.querySelector(':focus');
      if (field) keepInSight(field);
    });
  }, [isLed, settings, problems]);
  return form;
}

function isNamed(field: FieldAnswer, text: string): boolean {
  const said = text.toLowerCase();
  return said.includes(field.name) || said.includes(titleOf(field).toLowerCase());
}

function Removal({ type, name }: { type: string; name: string }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const removal: Call = { method: 'DELETE', path: `${destinationPath(type, name)}?purge=true` };
  return (
    <section className={`${kit.card} ${kit.stack} ${kit.tight}`}>
      <Fold title="Delete this destination">
        <p className={kit.muted}>
          Unlinks every secret, deletes their entries in the store, then the destination.
        </p>
        <div>
          <GuardedButton call={removal} kind="danger" onClick={() => setIsOpen(true)}>
            Delete destination…
          </GuardedButton>
        </div>
      </Fold>
      {isOpen ? (
        <PlannedDialog
          title={`Delete ${name}`}
          type={type}
          store={name}
          name={name}
          plan={planOf(type, name, { unlink: true })}
          action={(changes) => (changes === 0 ? 'Delete destination' : 'Delete entries and destination')}
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
            Every entry that Sealift wrote to this store will be deleted there unless the deletion policy is
            Retain. Entries that aren’t managed by Sealift are left alone.
          </p>
        </PlannedDialog>
      ) : null}
    </section>
  );
}
