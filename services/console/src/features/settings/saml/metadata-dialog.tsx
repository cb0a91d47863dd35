import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import kit from '../../../kit/kit.module.css';
import { Cancel } from '../../../kit/leaving/cancel.tsx';
import { Field } from '../../../kit/text/field.tsx';
import { FileButton, type FileText } from '../../../kit/text/file-button.tsx';
import { LongText } from '../../../kit/text/long-text.tsx';
import { readMetadata, type IdpMetadata } from './read-metadata.ts';

/** Asks for the metadata of the identity provider. They are read in the browser, and sent nowhere. */
export function MetadataDialog({
  take,
  close,
}: {
  take: (metadata: IdpMetadata) => void;
  close: () => void;
}) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState('');
  const fillIn = (given: string): void => {
    const metadata = readMetadata(given);
    if ('fault' in metadata) return setFault(metadata.fault);
    take(metadata);
    return close();
  };
  const load = (file: FileText): void => {
    if ('fault' in file) return setFault(file.fault);
    if (file.isBase64) return setFault(`${file.name} is not a text file. Load the metadata as XML.`);
    setText(file.text);
    return fillIn(file.text);
  };
  return (
    <Dialog title="Load metadata" close={close} isPassing>
      <p>
        Your identity provider offers its metadata as an XML file. Sealift reads the file here in the browser
        and fills in the form. Nothing is sent or saved.
      </p>
      <div>
        <FileButton label="Load a file: Metadata" take={load} />
      </div>
      <Field label="Or paste the XML" fault={fault}>
        {(control) => (
          <LongText
            {...control}
            value={text}
            change={(typed) => {
              setFault('');
              setText(typed);
            }}
          />
        )}
      </Field>
      <div className={`${kit.row} ${kit.actions}`}>
        <Button kind="primary" disabled={text.trim() === ''} onClick={() => fillIn(text)}>
          Fill in
        </Button>
        <Cancel />
      </div>
    </Dialog>
  );
}
