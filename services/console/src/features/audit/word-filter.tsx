import { useState } from 'react';
import { AppliedPicker } from '../../kit/picker/applied-picker.tsx';
import { optionsOf } from '../../kit/picker/options.ts';
import { useFilterOptions } from './filter-options.ts';

/** A filter of the audit trail that is a text. */
export type WordName = 'who' | 'token' | 'secret' | 'destination' | 'namespace' | 'address' | 'action';

/** A field for a filter: it offers names from the whole trail, and `seen`, those of the entries that are shown. */
export function WordFilter({
  name,
  label,
  value,
  seen,
  set,
}: {
  name: WordName;
  label: string;
  value: string;
  seen: (string | null)[];
  set: (word: string) => void;
}) {
  const [text, setText] = useState('');
  const found = useFilterOptions(name, text);
  const known = new Set(found.map((one) => one.code ?? one.value));
  const options = [...found, ...optionsOf(seen).filter((one) => !known.has(one.value))];
  return <AppliedPicker label={label} value={value} options={options} follow={setText} apply={set} />;
}
