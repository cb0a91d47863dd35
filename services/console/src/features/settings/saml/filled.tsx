import { useState } from 'react';
import type { FieldAnswer } from '../../../../../api/contract/forms.ts';
import { Button } from '../../../kit/button.tsx';
import kit from '../../../kit/kit.module.css';
import { Notice } from '../../../kit/notice.tsx';
import type { SectionPart } from '../../../schema-form/edit-form.tsx';
import { titleOf } from '../../../schema-form/fields.ts';
import type { Edits } from '../../../schema-form/schema-form.tsx';

/** What was filled in at once. `said`: from where; `nothing`: what is said instead if nothing was. `isDoubtful`: the notes warn. */
export type FilledIn = {
  filled: Edits;
  said: string;
  nothing: string;
  notes: string[];
  isDoubtful: boolean;
};

type Last = FilledIn & { before: Edits };

/** Fills in several fields of a form at once, which can be undone. `last`: what is still in the form of it. */
export function useFilling({ edits, edit }: Pick<SectionPart, 'edits' | 'edit'>) {
  const [last, setLast] = useState<Last | null>(null);
  const isShown =
    last !== null &&
    (isNone(last.filled) || Object.entries(last.filled).some(([name, value]) => edits[name] === value));
  return {
    last: isShown ? last : null,
    fillIn: (filling: FilledIn): void => {
      setLast({ ...filling, before: edits });
      if (!isNone(filling.filled)) edit({ ...edits, ...filling.filled });
    },
    undo: ({ filled, before }: Last): void => {
      const others = Object.entries(edits).filter(([name]) => !Object.hasOwn(filled, name));
      const replaced = Object.entries(before).filter(([name]) => Object.hasOwn(filled, name));
      setLast(null);
      edit(Object.fromEntries([...others, ...replaced]));
    },
  };
}

/** Says what was filled in, and takes it back. */
export function Filled({
  filling,
  fields,
}: {
  filling: ReturnType<typeof useFilling>;
  fields: FieldAnswer[];
}) {
  const { last, undo } = filling;
  if (!last) return null;
  const names = fields.filter(({ name }) => Object.hasOwn(last.filled, name)).map(titleOf);
  return (
    <Notice tone={last.isDoubtful ? 'limited' : 'info'}>
      <div className={`${kit.stack} ${kit.tight}`}>
        <p>{names.length > 0 ? `${last.said}: ${names.join(', ')}. Not saved yet.` : last.nothing}</p>
        {last.notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
        {names.length > 0 ? (
          <div>
            <Button onClick={() => undo(last)}>Undo</Button>
          </div>
        ) : null}
      </div>
    </Notice>
  );
}

const isNone = (filled: Edits): boolean => Object.keys(filled).length === 0;
