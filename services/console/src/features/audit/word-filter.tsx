import { useState } from 'react';
import type { AuditEventAnswer } from '../../../../api/contract/administration.ts';
import { AppliedPicker } from '../../kit/picker/applied-picker.tsx';
import { optionsOf } from '../../kit/picker/options.ts';
import { useFilterOptions } from './filter-options.ts';

/** A filter of the audit trail that is a text. */
export type WordName = 'who' | 'token' | 'secret' | 'destination' | 'namespace' | 'address' | 'action';

/** A field for a filter: it offers names from the whole trail, and those of the entries that are shown. */
export function WordFilter({
  name,
  label,
  value,
  events,
  set,
}: {
  name: WordName;
  label: string;
  value: string;
  events: AuditEventAnswer[];
  set: (word: string) => void;
}) {
  const [text, setText] = useState('');
  const found = useFilterOptions(name, text);
  const known = new Set(found.map((one) => one.code ?? one.value));
  const seen = optionsOf(events.map(({ attributes }) => wordOf(attributes, name)));
  const options = [...found, ...seen.filter((one) => !known.has(one.value))];
  return <AppliedPicker label={label} value={value} options={options} follow={setText} apply={set} />;
}

function wordOf(event: AuditEventAnswer['attributes'], name: WordName): string | null {
  if (name === 'token') return event.accessor;
  if (name === 'who') return event.user ?? event.actor;
  if (name !== 'destination') return event[name];
  const [, type, own] = /^sys\/sync\/destinations\/([^/]+)\/([^/]+)/.exec(event.path) ?? [];
  return type !== undefined && own !== undefined ? `${type}/${own}` : null;
}
