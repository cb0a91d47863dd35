import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { SettingsAnswer } from '../../../../api/contract/administration.ts';
import type { SettingsKindAnswer } from '../../../../api/contract/forms.ts';
import { call, carryOut, carryOutWarned, ifRevision } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { ApiFailure } from '../../api/failure.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import kit from '../../kit/kit.module.css';
import { Loaded } from '../../kit/page.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import type { Stored } from '../../schema-form/edits.ts';
import { EditForm, type SectionPart } from '../../schema-form/edit-form.tsx';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { partsOf } from './layout.ts';
import { MailServer } from './mail-server.tsx';
import { Preview } from './preview.tsx';
import { certificateRemarks, faultsOfCertificates } from './saml/certificates.tsx';
import { useSamlCheck } from './saml/check.ts';
import { drawSamlPart } from './saml/parts.tsx';
import { SendTest, TEST_ADDRESS } from './send-test.tsx';
import { TestSignIn } from './test-sign-in.tsx';
import { DAYS, isShorter, RETENTION, ReviewRetention } from './review-retention.tsx';
import { ReviewSignIn, SIGN_IN } from './review-sign-in.tsx';

type Document = Pick<SettingsAnswer['data'], 'attributes'> & Partial<Pick<SettingsAnswer['data'], 'meta'>>;

const pathOf = ({ type }: SettingsKindAnswer): string => `/api/v2/admin/${type}`;
const keyOf = ({ kind }: SettingsKindAnswer): string[] => ['settings', kind];

/** The settings document of a kind; null if it is absent. */
export const settingsQuery = (definition: SettingsKindAnswer) =>
  queryOptions({ queryKey: keyOf(definition), queryFn: () => readDocument(definition) });

/** A settings document: its form and, if it may be absent, the way to delete it. */
export function SettingsDocument({
  definition,
  children,
}: {
  definition: SettingsKindAnswer;
  /** Stands below the form. `isUnsaved`: something is typed there. */
  children?: (isUnsaved: boolean) => ReactNode;
}) {
  const queries = useQueryClient();
  const queryKey = keyOf(definition);
  const query = useQuery(settingsQuery(definition));
  const [sent, setSent] = useState('');
  const { check, outcome } = useSamlCheck(definition.kind === SIGN_IN);
  const save = async (change: Call): Promise<string[]> => {
    const { data, warnings } = await carryOutWarned<Document>(change);
    queries.setQueryData(queryKey, data);
    setSent(definition.kind === 'smtp' ? describeSent(change, data) : '');
    return warnings;
  };
  return (
    <Loaded query={query}>
      {(document) => (
        <>
          <EditForm
            sections={sectionsOf(definition, document?.attributes ?? {})}
            stored={storedOf(document)}
            remarks={remarksOn(document)}
            savedText={`Saved.${sent}`}
            savedDoubt={doubtOf(document)}
            check={check && ((edits) => check(sentOf(definition, edits)))}
            beside={(edits) =>
              isNone(edits) ? <MailState definition={definition} document={document} /> : null
            }
            below={(edits) => (
              <>
                <Test definition={definition} document={document} isUnsaved={!isNone(edits)} />
                {children?.(!isNone(edits))}
              </>
            )}
            needsReview={(edits) =>
              definition.kind === SIGN_IN ||
              (definition.kind === RETENTION && isShorter(edits[DAYS], document?.attributes[DAYS]))
            }
            review={(edits, answer) => {
              const change = changeOf(definition, edits, document?.meta?.revision ?? '');
              if (definition.kind !== SIGN_IN)
                return <ReviewRetention days={Number(edits[DAYS])} call={change} answer={answer} />;
              const isTurnedOff = edits['enabled'] === false;
              return <ReviewSignIn {...{ isTurnedOff, answer, save, outcome }} call={change} />;
            }}
            callOf={(edits, revision) => changeOf(definition, edits, revision)}
            save={save}
            reload={() => queries.refetchQueries({ queryKey })}
          />
          {definition.may_be_absent && document ? <Removal definition={definition} /> : null}
        </>
      )}
    </Loaded>
  );
}

type StoredPart = { definition: SettingsKindAnswer; document: Document | null };

function MailState({ definition, document }: StoredPart) {
  if (definition.kind !== 'smtp' || document?.attributes['enabled'] !== true) return null;
  return <MailServer revision={document.meta?.revision ?? ''} />;
}

function Test({ definition, document, isUnsaved }: StoredPart & { isUnsaved: boolean }) {
  const isEnabled = document?.attributes['enabled'] === true;
  if (definition.kind === SIGN_IN) return <TestSignIn isEnabled={isEnabled} isUnsaved={isUnsaved} />;
  if (definition.kind !== 'smtp' || !isEnabled) return null;
  return <SendTest path={pathOf(definition)} type={definition.resource} isUnsaved={isUnsaved} />;
}

function sectionsOf({ kind, attributes }: SettingsKindAnswer, values: Record<string, unknown>) {
  const parts = partsOf(kind, attributes, values);
  if (kind === SIGN_IN)
    return parts.map((part) => ({ ...part, draw: (shown: SectionPart) => drawSamlPart(part.fields, shown) }));
  if (kind !== 'customization') return parts;
  return parts.map((part) => ({
    ...part,
    draw: ({ values: stored, edits, form }: SectionPart) => (
      <>
        {form(part.fields)}
        <Preview texts={{ ...stored, ...edits }} />
      </>
    ),
  }));
}

// What stands at the fields as long as it is stored.
function remarksOn(document: Document | null): Record<string, ReactNode> {
  const odd = <span className={`${kit.chip} ${kit.limited}`}>This one doesn’t begin with AC</span>;
  return {
    ...certificateRemarks(document?.meta?.certificates),
    ...(faultsOfAccount(document).length > 0 ? { 'account-sid': odd } : {}),
  };
}

function doubtOf(document: Document | null): string {
  const faults = [...faultsOfCertificates(document?.meta?.certificates), ...faultsOfAccount(document)];
  return faults.length > 0 ? `Saved, but ${faults.join(', and ')}.` : '';
}

// The API takes any account id, as its clients know it.
function faultsOfAccount(document: Document | null): string[] {
  const sid = document?.attributes['account-sid'];
  const isOdd = typeof sid === 'string' && sid !== '' && !sid.startsWith('AC');
  return isOdd ? ['the account SIDs of Twilio begin with AC'] : [];
}

// What became of the address for a test message that was saved with the settings of the mail server.
function describeSent({ body }: Call, { attributes }: Document): string {
  const sent = body as { data: { attributes: Edits } };
  const to = sent.data.attributes[TEST_ADDRESS];
  if (typeof to !== 'string' || to === '') return '';
  return attributes['enabled'] === true
    ? ` A test message was sent to ${to}.`
    : ' No test message was sent, because email is off.';
}

const isNone = (edits: Edits): boolean => Object.keys(edits).length === 0;

function changeOf(definition: SettingsKindAnswer, edits: Edits, revision: string): Call {
  return {
    method: 'PATCH',
    path: pathOf(definition),
    body: { data: { type: definition.resource, attributes: sentOf(definition, edits) } },
    headers: revision === '' ? {} : ifRevision(revision),
  };
}

// A text that always has a value has an empty one once its field is emptied.
function sentOf({ attributes }: SettingsKindAnswer, edits: Edits): Edits {
  const isText = (name: string): boolean => attributes.find((one) => one.name === name)?.type === 'string';
  return Object.fromEntries(
    Object.entries(edits).map(([name, value]) => [name, value === null && isText(name) ? '' : value]),
  );
}

// Null: the document may be absent, and it is.
async function readDocument(definition: SettingsKindAnswer): Promise<Document | null> {
  try {
    return (await call<{ data: Document }>('GET', pathOf(definition))).data.data;
  } catch (error) {
    if (definition.may_be_absent && error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
}

// A document that is absent has no revision, so saving it has no condition.
function storedOf(document: Document | null): Stored {
  const { attributes = {}, meta } = document ?? {};
  return {
    revision: meta?.revision ?? '',
    changed_at: meta?.['changed-at'] ?? null,
    changed_by: meta?.['changed-by'] ?? null,
    values: { ...attributes, ...Object.fromEntries((meta?.set ?? []).map((name) => [name, '*****'])) },
  };
}

function Removal({ definition }: { definition: SettingsKindAnswer }) {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const removal: Call = { method: 'DELETE', path: pathOf(definition) };
  return (
    <div>
      <GuardedButton call={removal} kind="danger" onClick={() => setIsOpen(true)}>
        Delete these settings…
      </GuardedButton>
      {isOpen ? (
        <FormDialog
          title="Delete these settings"
          action="Delete"
          isDangerous
          close={() => setIsOpen(false)}
          call={removal}
          carryOut={async () => {
            await carryOut(removal);
            await queries.invalidateQueries({ queryKey: keyOf(definition) });
          }}
        >
          <p>The server’s configuration will apply again.</p>
          {definition.kind === RETENTION ? (
            <p>
              Old audit entries and sync history may then be deleted sooner. See{' '}
              <code>AUDIT_RETENTION_DAYS</code> and <code>HISTORY_RETENTION_DAYS</code>.
            </p>
          ) : null}
        </FormDialog>
      ) : null}
    </div>
  );
}
