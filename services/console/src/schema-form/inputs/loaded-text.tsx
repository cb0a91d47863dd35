import { useState, type ComponentProps } from 'react';
import kit from '../../kit/kit.module.css';
import { FileButton, type FileText } from '../../kit/text/file-button.tsx';
import { LongText } from '../../kit/text/long-text.tsx';

type Read = (file: Extract<FileText, { text: string }>) => { text: string } | { fault: string };

/**
 * A text of many lines, such as a key or a certificate: pasted, or from a file. `title`: the label of the field; `read`: the text
 * that a file has for it; absent: its content, byte for byte. `describe`: what is said of the text that is typed or loaded.
 */
export function LoadedText({
  title,
  change,
  read = wholeText,
  describe,
  ...field
}: ComponentProps<typeof LongText> & {
  title: string;
  read?: Read | undefined;
  describe?: ((text: string) => string) | undefined;
}) {
  const [said, setSaid] = useState('');
  const take = (file: FileText): void => {
    const found = 'fault' in file ? file : read(file);
    if ('fault' in found) return setSaid(`${file.name} was not loaded. ${found.fault}`);
    change(found.text);
    return setSaid(`Loaded ${file.name}.`);
  };
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
        <FileButton label={`Load a file: ${title}`} take={take} />
        <span role="status" className={kit.small}>
          {[said, describe?.(field.value) ?? ''].filter(Boolean).join(' ')}
        </span>
      </div>
    </div>
  );
}

function wholeText({ text, isBase64 }: Parameters<Read>[0]): ReturnType<Read> {
  return isBase64 ? { fault: 'It is not a text file.' } : { text };
}
