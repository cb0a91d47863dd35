import type { ComponentProps } from 'react';
import type { SecretMetadataAnswer } from '../../../../../api/contract/secrets.ts';
import type { Call } from '../../../api/curl.ts';
import { Lacking } from '../../../kit/form-dialog.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import kit from '../../../kit/kit.module.css';
import { Cancel } from '../../../kit/leaving/cancel.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { Refusal } from '../../../kit/refusing/refusal.tsx';
import { useSeen } from '../../../kit/refusing/seen.ts';
import { Action } from '../../../kit/rights/action.tsx';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { Dropped } from '../limits/dropped.tsx';
import { isGone } from '../lifecycle/standing.ts';
import { revealOf } from '../reveal.ts';
import type { SecretName } from '../split-path.ts';
import type { Key } from './change.ts';
import { AbsentSecret } from './absent-secret.tsx';
import { DeletedMeanwhile } from './deleted-meanwhile.tsx';
import { DocumentField } from './document-field.tsx';
import { describeLeftOut, leftOutOf, NOTATIONS, type Notation } from './document.ts';
import type { useKeyEdits } from './key-edits.ts';
import { AddedKeys, KeyField } from './key-fields.tsx';
import { OvertakenSecret } from './overtaken.tsx';
import { RemovedKeys, Stores } from '../reach/reach.tsx';
import { useSecretEdit } from './secret-edit.ts';

/**
 * Changes keys of the version with which the user began, and only of that one, so a newer version by someone else is
 * not overwritten: the user sees both changes side by side. Nor is what was typed lost if someone deletes it. Values that
 * the user does not ask for never come to the browser.
 */
export function EditSecret({
  secret,
  metadata,
  isAbsent,
  close,
}: {
  secret: SecretName;
  metadata: SecretMetadataAnswer;
  /** The secret was deleted since; `metadata` is what it was. */
  isAbsent: boolean;
  close: () => void;
}) {
  const newest = metadata.current_version;
  const isDeleted = isGone(metadata, newest);
  const edit = useSecretEdit({ secret, newest, isDeleted, isAbsent, close });
  const { base, change, call, busy, failure, isOvertaken } = edit;
  const beginning = useSeen<HTMLParagraphElement>(base.version);
  const changed = [...(change?.set.keys() ?? []), ...(change?.remove ?? [])];
  return (
    <Dialog title={`Edit ${secret.path}`} close={close} isDirty={changed.length > 0}>
      {isAbsent ? null : (
        <p ref={beginning} tabIndex={-1} className={kit.muted}>
          Creates version {base.version + 1}.{' '}
          {edit.document.typed ? '' : 'Keys that you don’t touch keep their values.'}
        </p>
      )}
      <Stores secret={secret} />
      <Fields secret={secret} edit={edit} />
      {isAbsent ? (
        <Absent edit={edit} />
      ) : (
        <Meanwhile secret={secret} metadata={metadata} isDeleted={isDeleted} edit={edit} />
      )}
      <Refusal failure={failure} />
      <div className={`${kit.row} ${kit.actions}`}>
        <Action
          call={call}
          secrets={[...(change?.set.keys() ?? [])]}
          kind="primary"
          busy={busy}
          disabled={isOvertaken || isDeleted || isAbsent || changed.length === 0}
          onClick={() => void edit.save()}
        >
          {`Save as v${base.version + 1}`}
        </Action>
        <Cancel />
        <Lacking text={edit.fault} />
      </div>
    </Dialog>
  );
}

type PartProps = { secret: SecretName; edit: ReturnType<typeof useSecretEdit> };

function Absent({ edit: { change, alone, busy, save } }: Pick<PartProps, 'edit'>) {
  return <AbsentSecret alone={change && alone} busy={busy} save={(instead) => void save(instead)} />;
}

// What a save leads to, and what someone else did to the secret while the user was typing.
function Meanwhile({
  secret,
  metadata,
  isDeleted,
  edit,
}: PartProps & { metadata: SecretMetadataAnswer; isDeleted: boolean }) {
  const { base, change, alone, busy, isOvertaken } = edit;
  return (
    <>
      <Dropped secret={secret} />
      {change && change.remove.length > 0 ? <RemovedKeys secret={secret} /> : null}
      {isOvertaken ? (
        <OvertakenSecret
          secret={secret}
          base={base}
          newest={metadata.current_version}
          by={metadata.versions[String(metadata.current_version)]?.created_by?.actor}
          change={change}
          busy={!edit.isReady}
          goOn={() => void edit.goOn()}
        />
      ) : null}
      {isDeleted ? (
        <DeletedMeanwhile
          secret={secret}
          metadata={metadata}
          alone={change && alone}
          busy={busy}
          save={(instead) => void edit.save(instead)}
        />
      ) : null}
    </>
  );
}

function Fields({ secret, edit }: PartProps) {
  const { base, keyEdits, document, busy, attempt } = edit;
  const { keys, version } = base;
  const { typed } = document;
  const all = revealOf(secret, version);
  if (typed)
    return (
      <WholeField
        leftOut={typed.leftOut}
        notation={typed.notation}
        text={typed.typed}
        fault={document.fault}
        change={document.set}
      />
    );
  const open = (notation: Notation) => void attempt(() => document.open(all, notation));
  if (edit.isOnlyWhole)
    return (
      <>
        <Notice tone="info">Your policies let you save this secret only as a whole.</Notice>
        <WholeButtons notations={wholeNotationsFor(keys)} call={all} busy={busy} open={open} />
      </>
    );
  return (
    <>
      <KeyFields secret={secret} keys={keys} version={version} edit={keyEdits} />
      {keyEdits.isTouched ? null : (
        <WholeButtons notations={notationsFor(keys)} call={all} busy={busy} open={open} />
      )}
    </>
  );
}

function WholeField({ leftOut, ...field }: ComponentProps<typeof DocumentField> & { leftOut: Key[] }) {
  return (
    <>
      <p className={kit.muted}>
        This is the whole secret; the audit trail records that you read it. A key that you remove is deleted.
      </p>
      {leftOut.length > 0 ? <Notice tone="info">{describeLeftOut(leftOut)}</Notice> : null}
      <DocumentField {...field} isShown />
    </>
  );
}

function WholeButtons({
  notations,
  call,
  busy,
  open,
}: {
  notations: Notation[];
  call: Call;
  busy: boolean;
  open: (notation: Notation) => void;
}) {
  return (
    <div className={kit.row}>
      {notations.map((notation) => (
        <GuardedButton key={notation} call={call} busy={busy} onClick={() => open(notation)}>
          {`Reveal all and edit as ${NOTATIONS[notation]}`}
        </GuardedButton>
      ))}
    </div>
  );
}

function KeyFields({
  secret,
  keys,
  version,
  edit,
}: {
  secret: SecretName;
  keys: Key[];
  version: number;
  edit: ReturnType<typeof useKeyEdits>;
}) {
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

// What a text leaves out would be lost.
function wholeNotationsFor(keys: Key[]): Notation[] {
  return leftOutOf('dotenv', keys).length === 0 ? ['json', 'dotenv'] : ['json'];
}
