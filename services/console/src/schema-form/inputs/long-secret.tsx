import { useState, type ComponentProps } from 'react';
import kit from '../../kit/kit.module.css';
import { FileButton } from '../../kit/text/file-button.tsx';
import { LongText } from '../../kit/text/long-text.tsx';

/** A secret of many lines, such as a key: pasted, or from a file, byte for byte. `title`: the label of the field. */
export function LongSecret({ title, change, ...field }: ComponentProps<typeof LongText> & { title: string }) {
  const [said, setSaid] = useState('');
  return (
    <div className={`${kit.stack} ${kit.tight}`}>
      <LongText
        {...field}
        change={(text) => {
          setSaid('');
          change(text);
        }}
      />
      <div className={kit.row}>
        <FileButton
          label={`Load a file: ${title}`}
          take={(file) => {
            if ('fault' in file) return setSaid(`${file.name} was not loaded. ${file.fault}`);
            if (file.isBase64) return setSaid(`${file.name} was not loaded. It is not a text file.`);
            change(file.text);
            return setSaid(`Loaded ${file.name}.`);
          }}
        />
        <span role="status" className={kit.small}>
          {said}
        </span>
      </div>
    </div>
  );
}
