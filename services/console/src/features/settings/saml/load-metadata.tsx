import { lazy, Suspense, useState } from 'react';
import type { FieldAnswer } from '../../../../../api/contract/forms.ts';
import { Button } from '../../../kit/button.tsx';
import kit from '../../../kit/kit.module.css';
import type { SectionPart } from '../../../schema-form/edit-form.tsx';
import { Filled, useFilling } from './filled.tsx';
import { fillFrom } from './filling.ts';

const MetadataDialog = lazy(async () => ({
  default: (await import('./metadata-dialog.tsx')).MetadataDialog,
}));

type Props = Pick<SectionPart, 'values' | 'edits' | 'edit'> & { fields: FieldAnswer[] };

/** Fills in the form from the metadata of the identity provider. What it fills in can be undone, and is saved like all else. */
export function LoadMetadata({ fields, values, edits, edit }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const filling = useFilling({ edits, edit });
  return (
    <div className={`${kit.stack} ${kit.tight}`}>
      <div>
        <Button onClick={() => setIsOpen(true)}>Load metadata…</Button>
      </div>
      <Filled filling={filling} fields={fields} />
      {isOpen ? (
        <Suspense fallback={null}>
          <MetadataDialog
            take={(metadata) => {
              const { entity, filled, notes } = fillFrom(metadata, { values, edits });
              filling.fillIn({
                filled,
                said: `Filled in from the metadata of ${entity}`,
                nothing: `The metadata of ${entity} bring nothing new.`,
                notes,
                isDoubtful: notes.length > 0,
              });
            }}
            close={() => setIsOpen(false)}
          />
        </Suspense>
      ) : null}
    </div>
  );
}
