import { lazy, Suspense, useState } from 'react';
import type { FieldAnswer } from '../../../../../api/contract/forms.ts';
import { Button } from '../../../kit/button.tsx';
import kit from '../../../kit/kit.module.css';
import { Notice } from '../../../kit/notice.tsx';
import type { SectionPart } from '../../../schema-form/edit-form.tsx';
import { titleOf } from '../../../schema-form/fields.ts';
import type { Edits } from '../../../schema-form/schema-form.tsx';
import { fillFrom, type Filling } from './filling.ts';

const MetadataDialog = lazy(async () => ({
  default: (await import('./metadata-dialog.tsx')).MetadataDialog,
}));

type Props = Pick<SectionPart, 'values' | 'edits' | 'edit'> & { fields: FieldAnswer[] };

/** Fills in the form from the metadata of the identity provider. What it fills in can be undone, and is saved like all else. */
export function LoadMetadata({ fields, values, edits, edit }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const [last, setLast] = useState<(Filling & { before: Edits }) | null>(null);
  const isShown =
    last !== null &&
    (isNone(last.filled) || Object.entries(last.filled).some(([name, value]) => edits[name] === value));
  const undo = ({ filled, before }: Filling & { before: Edits }): void => {
    const others = Object.entries(edits).filter(([name]) => !Object.hasOwn(filled, name));
    const replaced = Object.entries(before).filter(([name]) => Object.hasOwn(filled, name));
    setLast(null);
    edit(Object.fromEntries([...others, ...replaced]));
  };
  return (
    <div className={`${kit.stack} ${kit.tight}`}>
      <div>
        <Button onClick={() => setIsOpen(true)}>Load metadata…</Button>
      </div>
      {isShown ? <Filled filling={last} fields={fields} undo={() => undo(last)} /> : null}
      {isOpen ? (
        <Suspense fallback={null}>
          <MetadataDialog
            take={(metadata) => {
              const filling = fillFrom(metadata, { values, edits });
              setLast({ ...filling, before: edits });
              if (!isNone(filling.filled)) edit({ ...edits, ...filling.filled });
            }}
            close={() => setIsOpen(false)}
          />
        </Suspense>
      ) : null}
    </div>
  );
}

function Filled({
  filling: { entity, filled, notes },
  fields,
  undo,
}: {
  filling: Filling;
  fields: FieldAnswer[];
  undo: () => void;
}) {
  const names = fields.filter(({ name }) => Object.hasOwn(filled, name)).map(titleOf);
  return (
    <Notice tone={notes.length > 0 ? 'limited' : 'info'}>
      <div className={`${kit.stack} ${kit.tight}`}>
        <p>
          {names.length > 0
            ? `Filled in from the metadata of ${entity}: ${names.join(', ')}. Not saved yet.`
            : `The metadata of ${entity} bring nothing new.`}
        </p>
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
        {names.length > 0 ? (
          <div>
            <Button onClick={undo}>Undo</Button>
          </div>
        ) : null}
      </div>
    </Notice>
  );
}

const isNone = (filled: Edits): boolean => Object.keys(filled).length === 0;
