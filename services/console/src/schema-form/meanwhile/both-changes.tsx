import { actorText } from '../../../../../libs/telling/actor.ts';
import type { ChangedAnswer } from '../../../../api/contract/destinations.ts';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import type { Call } from '../../api/curl.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { useSeen } from '../../kit/refusing/seen.ts';
import { Action } from '../../kit/rights/action.tsx';
import { Table } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { isSame, isSet, titleOf } from '../fields.ts';
import { readableOf } from '../readable.ts';
import type { Edits } from '../schema-form.tsx';
import { isAlreadyStored, isStillDifferent } from './already-stored.ts';

const GO_ON = 'Reapply my changes';

/** Both changes side by side, field by field. */
export function BothChanges({
  fields,
  before,
  theirs,
  yours,
  goOn,
  call,
  giveUp,
  showTheirs,
  isAsked = true,
}: {
  fields: FieldAnswer[];
  /** The values on which the edits are based. */
  before: Record<string, unknown>;
  theirs: Partial<ChangedAnswer> & { values: Record<string, unknown> };
  yours: Edits;
  /** Keeps what the user typed, based on what the other one has stored. */
  goOn: () => void;
  /** The call that `goOn` makes. Absent if it makes none. */
  call?: Call;
  /** Keeps the other user's change. Absent if the form has another way to do that. */
  giveUp?: () => void;
  /** Shows what is stored in place of what the user typed. Absent in a dialog, which is closed. */
  showTheirs?: () => void;
  /** The user wanted to save; otherwise this comes while they may be typing elsewhere, which it must not move. */
  isAsked?: boolean;
}) {
  // The button that was pressed may be far from here.
  const place = useSeen<HTMLElement>(isAsked && String(theirs.changed_at));
  const concerned = fields.filter((field) =>
    Object.hasOwn(yours, field.name)
      ? isStillDifferent(field, yours, theirs.values)
      : !isSame(before[field.name], theirs.values[field.name]),
  );
  const isDone = isAlreadyStored(fields, yours, theirs.values);
  return (
    <section ref={place} className={`${kit.notice} ${kit.limited} ${kit.seen}`} role="alert">
      <div className={`${kit.stack} ${kit.tight} ${kit.grow}`}>
        <p>
          {theirs.changed_by ? actorText(theirs.changed_by) : 'Someone'} changed this{' '}
          {theirs.changed_at ? <Time at={theirs.changed_at} /> : 'meanwhile'}.{' '}
          {isDone
            ? 'What you chose is already saved, so there is nothing left to save.'
            : 'Your changes haven’t been saved yet.'}
        </p>
        <Differences of={concerned} theirs={theirs.values} yours={yours} />
        <div className={kit.row}>
          {isDone ? null : <GoOn call={call} goOn={goOn} />}
          {giveUp ? <Button onClick={giveUp}>{isDone ? 'Close' : 'Keep theirs'}</Button> : null}
          {isDone && showTheirs ? <Button onClick={showTheirs}>Show what is saved</Button> : null}
        </div>
      </div>
    </section>
  );
}

function GoOn({ call, goOn }: { call: Call | undefined; goOn: () => void }) {
  if (!call) return <Button onClick={goOn}>{GO_ON}</Button>;
  return (
    <Action call={call} onClick={goOn}>
      {GO_ON}
    </Action>
  );
}

function Differences({
  of,
  theirs,
  yours,
}: {
  of: FieldAnswer[];
  theirs: Record<string, unknown>;
  yours: Edits;
}) {
  if (of.length === 0) return null;
  return (
    <Table columns={['Field', 'Theirs', 'Yours']}>
      {of.map((field) => (
        <tr key={field.name}>
          <td>{titleOf(field)}</td>
          <td>{shown(field, theirs[field.name])}</td>
          <td>{Object.hasOwn(yours, field.name) ? shown(field, yours[field.name]) : 'Same as theirs'}</td>
        </tr>
      ))}
    </Table>
  );
}

// Of a secret we show only whether there is one.
function shown(field: FieldAnswer, value: unknown) {
  if (!isSet(value)) return '–';
  return <code>{field.sensitive ? '•••••' : readableOf(field, value)}</code>;
}
