import { useState } from 'react';
import kit from '../kit.module.css';
import type { Option } from './options.ts';
import styles from './picker.module.css';
import { Picker } from './picker.tsx';

/**
 * A filter that is typed or chosen. The start of a name is no filter yet: a field counts when something is chosen, when it
 * is left, or at Enter, and says so until then. `follow` gets what is in it until then.
 */
export function AppliedPicker({
  label,
  value,
  options,
  follow,
  apply,
}: {
  label: string;
  value: string;
  options: Option[];
  follow?: (text: string) => void;
  apply: (value: string) => void;
}) {
  const [text, setText] = useState<string | null>(null);
  const applied = options.find(({ code }) => code === value)?.value ?? value;
  const change = (next: string): void => {
    setText(next);
    follow?.(next);
  };
  const commit = (next: string): void => {
    const wanted = options.find((one) => one.value === next)?.code ?? next;
    setText(null);
    if (wanted !== value) apply(wanted);
  };
  const isApplied = text === null || text === applied;
  return (
    <div className={styles.field}>
      <span className={`${kit.small} ${kit.muted}`} aria-hidden>
        {label}
      </span>
      <span className={kit.small} role="status">
        {isApplied ? '' : 'Press Enter to apply'}
      </span>
      <Picker
        aria-label={label}
        options={options}
        value={text ?? applied}
        change={change}
        pick={commit}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        onBlur={() => text !== null && commit(text)}
      />
    </div>
  );
}
