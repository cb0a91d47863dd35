import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { carryOut, pathOf } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { refusalAt } from '../../../api/failure.ts';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import kit from '../../../kit/kit.module.css';
import { forgetUnsaved } from '../../../kit/leaving/unsaved.ts';
import { Notice } from '../../../kit/notice.tsx';
import { LineInput } from '../../../kit/text/line-input.tsx';
import { sortFaults } from '../../../schema-form/fields.ts';
import { faultOfText } from '../edit/document.ts';
import { DocumentField } from '../edit/document-field.tsx';
import { AddedKeys } from '../edit/key-fields.tsx';
import { Reach } from '../reach/reach.tsx';
import type { SecretName } from '../split-path.ts';
import { EMPTY_FIELD, faultOfPath, turnDraft, valuesOfDraft, type SecretDraft } from './draft.ts';

const WAYS: [SecretDraft['way'], string][] = [
  ['fields', 'Fields'],
  ['json', 'JSON'],
  ['dotenv', '.env'],
];

/**
 * Creates a secret, unless there is one of that path. What is typed is stored exactly. `named`: writes a version of this secret
 * after `newest`, which has no values any more; 0: the first one of a secret that has only metadata; null: the user may not
 * read which one is the newest.
 */
export function CreateSecret({
  mount,
  folder,
  named,
  newest: newestNow = 0,
  saved = () => undefined,
  close,
}: {
  mount: string;
  folder: string;
  named?: string;
  newest?: number | null;
  /** Gets the number of the version that was saved. */
  saved?: (version: number) => void;
  close: () => void;
}) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const start = named ?? (folder ? `${folder}/` : '');
  // A version that someone saves while this one is typed must not be overwritten.
  const [newest] = useState(newestNow);
  const [path, setPath] = useState(start);
  const [draft, setDraft] = useState<SecretDraft>({ way: 'fields', fields: [EMPTY_FIELD] });
  const found = valuesOfDraft(draft);
  const values = 'values' in found ? found.values : new Map<string, unknown>();
  const isNamed = path !== '' && faultOfPath(path) === '';
  const call = creationOf(mount, isNamed ? path : '+', values, newest);
  return (
    <FormDialog
      {...wordsFor(named, newest)}
      lacks={lackOf(path, draft)}
      call={call}
      secrets={[...values.keys()]}
      close={close}
      carryOut={async () => {
        const { version } = await carryOut<{ version: number }>(call);
        forgetUnsaved();
        saved(version);
        await queries.invalidateQueries();
        await navigate({ to: '/secrets/$', params: { _splat: `${mount}/${path}` } });
      }}
    >
      {(failure) => {
        const explained = explain(failure, `${mount}/${path}`, named === undefined);
        const { byField, ...faults } = sortFaults(explained, named === undefined ? [{ name: 'path' }] : []);
        const body = (
          <>
            {named === undefined ? (
              <PathField mount={mount} start={start} path={path} refusal={byField['path']} change={setPath} />
            ) : null}
            <Effect secret={{ mount, path }} newest={newest} />
            <DraftField draft={draft} fault={'fault' in found ? found.fault : ''} change={setDraft} />
          </>
        );
        return { body, ...faults };
      }}
    </FormDialog>
  );
}

function lackOf(path: string, draft: SecretDraft): string {
  if (path === '') return 'Enter a path.';
  if (path.endsWith('/')) return 'Enter a name after the last slash.';
  if (faultOfPath(path) !== '') return 'The path has a fault.';
  const found = valuesOfDraft(draft);
  const fault = 'fault' in found ? found.fault : '';
  if (fault !== '') return draft.way === 'fields' ? fault : faultOfText(draft.way);
  return 'values' in found && found.values.size > 0 ? '' : 'Enter at least one key.';
}

function wordsFor(named: string | undefined, newest: number | null): { title: string; action: string } {
  if (named === undefined) return { title: 'Create a secret', action: 'Create secret' };
  const title = `Write ${newest === 0 ? 'the first' : 'a new'} version of ${named}`;
  return { title, action: newest === null ? 'Save version' : `Save as v${newest + 1}` };
}

function Effect({ secret, newest }: { secret: SecretName; newest: number | null }) {
  if (newest === 0) return null;
  if (newest !== null) return <Reach secret={secret} isRemoving={false} />;
  return (
    <Notice tone="limited">
      You may not read this secret. The new version replaces all of its keys, and is written to the
      destinations that it is linked to.
    </Notice>
  );
}

function creationOf(mount: string, path: string, values: Map<string, unknown>, newest: number | null): Call {
  return {
    method: 'POST',
    path: `${pathOf(mount)}/data/${pathOf(path)}`,
    body: { data: Object.fromEntries(values), ...(newest === null ? {} : { options: { cas: newest } }) },
    rights: [{ path: `${mount}/data/${path}`, capability: newest === 0 ? 'create' : 'update' }],
  };
}

function explain(failure: unknown, name: string, isNew: boolean): unknown {
  const isThere = failure instanceof Error && failure.message.includes('check-and-set');
  if (!isThere) return failure;
  return isNew
    ? refusalAt('path', `${name} already exists: choose another path.`)
    : new Error(`Someone saved a version of ${name} while you were typing. Nothing was saved.`);
}

function PathField({
  mount,
  start,
  path,
  refusal,
  change,
}: {
  mount: string;
  start: string;
  path: string;
  refusal: string | undefined;
  change: (path: string) => void;
}) {
  const id = useId();
  const fault = faultOfPath(path) || (refusal ?? '');
  // While it is typed, a path ends in a slash again and again.
  const isTyping = path.endsWith('/');
  // What it begins with is the folder, which nobody has typed.
  const isShown = refusal !== undefined || (fault !== '' && path !== start);
  return (
    <div className={kit.field}>
      <label className={kit.label} htmlFor={id}>
        Path
      </label>
      <LineInput
        id={id}
        autoFocus
        placeholder="app/db"
        aria-invalid={isShown && !isTyping}
        aria-describedby={`${id}-about`}
        value={path}
        change={change}
      />
      <p id={`${id}-about`} className={`${kit.small} ${isShown ? kit.fault : kit.muted}`}>
        {isShown ? fault : `In ${mount}/. A slash makes a folder.`}
      </p>
    </div>
  );
}

function DraftField({
  draft,
  fault,
  change,
}: {
  draft: SecretDraft;
  fault: string;
  change: (draft: SecretDraft) => void;
}) {
  const [refusal, setRefusal] = useState('');
  const turn = (way: SecretDraft['way']): void => {
    const turned = turnDraft(draft, way);
    setRefusal('fault' in turned ? turned.fault : '');
    if ('draft' in turned) change(turned.draft);
  };
  const type = (next: SecretDraft): void => {
    setRefusal('');
    change(next);
  };
  return (
    <>
      <fieldset className={kit.row}>
        <legend className={kit.label}>Format</legend>
        {WAYS.map(([way, label]) => (
          <label key={way} className={kit.check} data-passing>
            <input type="radio" name="way" checked={draft.way === way} onChange={() => turn(way)} />
            {label}
          </label>
        ))}
      </fieldset>
      {refusal ? (
        <p role="alert" className={kit.fault}>
          {refusal}
        </p>
      ) : null}
      {draft.way === 'fields' ? (
        <AddedKeys keys={[]} added={draft.fields} set={(fields) => type({ way: 'fields', fields })} />
      ) : (
        <DocumentField
          notation={draft.way}
          text={draft.text}
          fault={fault}
          change={(text) => type({ way: draft.way, text })}
        />
      )}
    </>
  );
}
