import { useRef } from 'react';
import { Button } from '../button.tsx';

// The API takes no larger secret.
const MOST_BYTES = 1024 * 1024;

/** What a file holds, byte for byte; one that is not UTF-8 becomes Base64. A fault says why it was not read. */
export type FileText = { name: string } & ({ text: string; isBase64: boolean } | { fault: string });

/** Lets the user take the content of a file. It goes nowhere but into the page. */
export function FileButton({ label, take }: { label: string; take: (file: FileText) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    // The same file can be chosen again.
    if (input.current) input.current.value = '';
    if (file.size > MOST_BYTES) return take({ name: file.name, fault: 'A file may have at most 1 MiB.' });
    take({ ...decode(new Uint8Array(await file.arrayBuffer())), name: file.name });
  };
  return (
    <>
      <Button aria-label={label} onClick={() => input.current?.click()}>
        Load a file…
      </Button>
      <input ref={input} type="file" hidden onChange={(event) => void read(event.target.files?.[0])} />
    </>
  );
}

function decode(bytes: Uint8Array): { text: string; isBase64: boolean } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, isBase64: false };
  } catch {
    const letters = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('');
    return { text: btoa(letters), isBase64: true };
  }
}
