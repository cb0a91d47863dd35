import { useRef, type ChangeEvent, type ClipboardEvent, type DragEvent } from 'react';
import { applyEdit, shownOf } from './line-ends.ts';

/** The properties of a text area whose text keeps its line ends: `change` gets what was typed or pasted, as it was. */
export function useExactText(value: string, change: (text: string) => void) {
  const pasted = useRef<string | null>(null);
  return {
    value: shownOf(value),
    onPaste: (event: ClipboardEvent) => {
      pasted.current = event.clipboardData.getData('text');
    },
    onDrop: (event: DragEvent) => {
      pasted.current = event.dataTransfer.getData('text');
    },
    onChange: ({ target }: ChangeEvent<HTMLTextAreaElement>) => {
      const text = pasted.current;
      pasted.current = null;
      change(applyEdit(value, target.value, text === null ? undefined : { text, end: target.selectionEnd }));
    },
  };
}

/** What a field has whose text is a name, a path or a value: nothing corrects it, on a phone either. */
export const VERBATIM = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
} as const;
