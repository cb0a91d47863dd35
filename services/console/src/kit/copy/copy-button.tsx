import { useState, type ReactNode } from 'react';
import { Button } from '../button.tsx';
import { copySecret, copyText, type CopyResult } from './clipboard.ts';
import kit from '../kit.module.css';

/** Copies a secret text. The clipboard is cleared after a minute. Shows nothing if the browser has no clipboard. */
export function CopySecretButton({
  text,
  copied,
  children,
}: {
  text: string;
  /** Is called once the text is on the clipboard. */
  copied?: () => void;
  children: ReactNode;
}) {
  const [note, setNote] = useState('');
  if (!('clipboard' in navigator)) return null;
  const copy = async (): Promise<void> => {
    if (await copySecret(text, setNote)) copied?.();
  };
  return (
    <>
      <Button onClick={() => void copy()}>{children}</Button>
      <span className={`${kit.small} ${kit.muted}`} role="status">
        {note}
      </span>
    </>
  );
}

/** Copies a text that anybody may see. */
export function CopyButton({ text, children = 'Copy' }: { text: string; children?: ReactNode }) {
  const [result, setResult] = useState<CopyResult | null>(null);
  if (!('clipboard' in navigator)) return null;
  return (
    <>
      <Button onClick={() => void copyText(text).then(setResult)}>
        {result?.isCopied ? 'Copied' : children}
      </Button>
      <span className={`${kit.small} ${kit.muted}`} role="status">
        {result?.isCopied === false ? result.note : ''}
      </span>
    </>
  );
}
