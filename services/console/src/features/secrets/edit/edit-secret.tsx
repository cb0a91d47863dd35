import { useQueryClient } from '@tanstack/react-query';
import { useState, type ComponentProps } from 'react';
import { carryOut } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { useAttempt } from '../../../kit/attempt.ts';
import { Dialog } from '../../../kit/dialog.tsx';
import { FailureNotice } from '../../../kit/failure-notice.tsx';
import kit from '../../../kit/kit.module.css';
import { Cancel } from '../../../kit/leaving/cancel.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { Action } from '../../../kit/rights/action.tsx';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { reveal, revealOf } from '../reveal.ts';
import type { SecretName } from '../split-path.ts';
import { changeOf, editOf, type Added, type Change, type Key, type Typed } from './change.ts';
import { DocumentField } from './document-field.tsx';
import {
  describeLeftOut,
  faultOfLeftOut,
  leftOutOf,
  NOTATIONS,
  parseWhole,
  writeRevealed,
  type Notation,
} from './document.ts';
import { compareValues } from './json.ts';
import { AddedKeys, KeyField } from './key-fields.tsx';
import { Reach } from './reach.tsx';

type Props = { secret: SecretName; keys: Key[]; version: number; close: () => void };

const NOTHING: Change = { set: new Map(), remove: [] };

/**
 * Changes keys of the version that is shown, and only of that one, so a newer version by someone else is not
 * overwritten. Values that the user does not ask for never come to the browser.
 */
export function EditSecret(props: Props) {
  const { secret, keys, version, close } = props;
  const queries = useQueryClient();
  const edit = useKeyEdits(keys);
  const { document, compared, setDocument, open } = useDocument(keys);
  const { busy, failure, attempt } = useAttempt();
  const change = compared ? ('fault' in compared ? undefined : compared) : edit.change;
  const { set, remove } = change ?? NOTHING;
  const call = editOf(secret, version, { set, remove });
  const all = revealOf(secret, version);
  const save = (): Promise<boolean> =>
    attempt(async () => {
      await carryOut(call);
      await queries.invalidateQueries();
      close();
    });

  return (
    <Dialog title={`Edit ${secret.path}`} close={close} isDirty={set.size + remove.length > 0}>
      <p className={kit.muted}>Creates version {version + 1}. Keys that you don’t touch keep their values.</p>
      {document && compared ? (
        <WholeField
          leftOut={document.leftOut}
          notation={document.notation}
          text={document.typed}
          fault={'fault' in compared ? compared.fault : ''}
          change={setDocument}
        />
      ) : (
        <>
          <KeyFields {...props} edit={edit} />
          {edit.isTouched ? null : (
            <WholeButtons
              keys={keys}
              call={all}
              busy={busy}
              open={(notation) => void attempt(() => open(all, notation))}
            />
          )}
        </>
      )}
      <Reach secret={secret} isRemoving={remove.length > 0} />
      {failure ? <FailureNotice failure={explain(failure, version)} /> : null}
      <div className={`${kit.row} ${kit.actions}`}>
        <Action
          call={call}
          secrets={[...set.keys()]}
          kind="primary"
          busy={busy}
          disabled={set.size + remove.length === 0}
          onClick={() => void save()}
        >
          {`Save as v${version + 1}`}
        </Action>
        <Cancel />
      </div>
    </Dialog>
  );
}

function WholeField({ leftOut, ...field }: ComponentProps<typeof DocumentField> & { leftOut: Key[] }) {
  return (
    <>
      <p className={kit.muted}>
        These are all values, and the audit trail says that you read them. A key that you take out will be
        deleted.
      </p>
      {leftOut.length > 0 ? <Notice tone="info">{describeLeftOut(leftOut)}</Notice> : null}
      <DocumentField {...field} />
    </>
  );
}

function WholeButtons({
  keys,
  call,
  busy,
  open,
}: {
  keys: Key[];
  call: Call;
  busy: boolean;
  open: (notation: Notation) => void;
}) {
  return (
    <div className={kit.row}>
      {notationsFor(keys).map((notation) => (
        <GuardedButton key={notation} call={call} busy={busy} onClick={() => open(notation)}>
          {`Reveal all and edit as ${NOTATIONS[notation]}`}
        </GuardedButton>
      ))}
    </div>
  );
}

function KeyFields({ secret, keys, version, edit }: Props & { edit: ReturnType<typeof useKeyEdits> }) {
  return (
    <>
      {keys.map((key) => (
        <KeyField
          key={key.name}
          secret={secret}
          version={version}
          of={key}
          edit={edit.edits.get(key.name)}
          change={(next) => edit.setKey(key.name, next)}
        />
      ))}
      <AddedKeys keys={keys} added={edit.added} set={edit.setAdded} />
    </>
  );
}

// A .env file holds only texts, under names that a shell takes. It is no use if nothing of the secret fits.
function notationsFor(keys: Key[]): Notation[] {
  return leftOutOf('dotenv', keys).length < keys.length ? ['json', 'dotenv'] : ['json'];
}

// The whole secret as one document, once the user asks for it.
function useDocument(keys: Key[]) {
  const [document, set] = useState<Whole | null>(null);
  return {
    document,
    compared: document && compare(document),
    setDocument: (typed: string) => set(document && { ...document, typed }),
    open: async (call: Call, notation: Notation): Promise<void> => {
      const leftOut = leftOutOf(notation, keys);
      const stored = writeRevealed(notation, await reveal(call), leftOut);
      set({ notation, stored, typed: stored, leftOut });
    },
  };
}

type Whole = { notation: Notation; stored: string; typed: string; leftOut: Key[] };

function compare({ notation, stored, typed, leftOut }: Whole) {
  const [before, after] = [parseWhole(notation, stored), parseWhole(notation, typed)];
  if ('fault' in after) return after;
  const fault = faultOfLeftOut(after.values, leftOut);
  if (fault !== '') return { fault };
  return 'fault' in before ? before : compareValues(before.values, after.values);
}

// By name in a map, because a key may be named like a property that every object has.
function useKeyEdits(keys: Key[]) {
  const [edits, setEdits] = useState<Map<string, Typed | null>>(new Map());
  const [added, setAdded] = useState<Added[]>([{ name: '', format: 'text', text: '' }]);
  const setKey = (name: string, next: Typed | null | undefined): void => {
    const rest = [...edits].filter(([other]) => other !== name);
    setEdits(new Map(next === undefined ? rest : [...rest, [name, next]]));
  };
  const isTouched = edits.size > 0 || added.some(({ name, text }) => name !== '' || text !== '');
  return { edits, added, setAdded, setKey, isTouched, change: changeOf(keys, edits, added) };
}

function explain(error: unknown, version: number): unknown {
  const isStale = error instanceof Error && error.message.includes('check-and-set');
  if (!isStale) return error;
  return new Error(
    `Someone saved a newer version than v${version} while you were editing. Nothing was saved. Review it and edit again.`,
  );
}
