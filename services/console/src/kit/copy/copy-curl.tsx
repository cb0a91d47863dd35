import { SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { currentNamespace } from '../../api/client.ts';
import { curlFor, type Call } from '../../api/curl.ts';
import { Button } from '../button.tsx';
import { copyText } from './clipboard.ts';
import kit from '../kit.module.css';

/** Copies calls for a shell, with a variable in place of the token and a file for a body with secrets. */
export function CopyCurl({ of, calls, secrets = [] }: { of: string; calls: Call[]; secrets?: string[] }) {
  const [note, setNote] = useState('');
  if (!('clipboard' in navigator)) return null;
  const copy = async (): Promise<void> => {
    const result = await copyText(curlFor(calls, { secrets, namespace: currentNamespace() }));
    setNote(result.note);
  };
  return (
    <>
      <Button
        className={`${kit.icon} ${kit.shell}`}
        aria-label="Copy as curl"
        title={`Copy as curl: ${of}`}
        onClick={() => void copy()}
      >
        <SquareTerminal size={16} aria-hidden />
      </Button>
      <span role="status" className={`${kit.small} ${kit.muted}`}>
        {note}
      </span>
    </>
  );
}
