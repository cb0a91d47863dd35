import { useState } from 'react';
import { changeOf, type Added, type Key, type Typed } from './change.ts';

/** What the user has typed key by key over the keys of a version. */
export function useKeyEdits(keys: Key[]) {
  // By name in a map, because a key may be named like a property that every object has.
  const [edits, setEdits] = useState<Map<string, Typed | null>>(new Map());
  const [added, setAdded] = useState<Added[]>([{ name: '', format: 'text', text: '' }]);
  const setKey = (name: string, next: Typed | null | undefined): void => {
    const rest = [...edits].filter(([other]) => other !== name);
    setEdits(new Map(next === undefined ? rest : [...rest, [name, next]]));
  };
  const isTouched = edits.size > 0 || added.some(({ name, text }) => name !== '' || text !== '');
  /** Keeps what was typed over other keys: what is there now is replaced, and what is gone is added again. */
  const moveTo = (next: Key[]): void => {
    const there = new Set(next.map(({ name }) => name));
    const kept = [...edits].filter(([name]) => there.has(name));
    const found = added.filter(({ name }) => there.has(name));
    const gone = [...edits].flatMap(([name, one]) =>
      one === null || there.has(name) ? [] : [{ ...one, name }],
    );
    setEdits(
      new Map([...kept, ...found.map(({ name, format, text }): [string, Typed] => [name, { format, text }])]),
    );
    setAdded([...added.filter(({ name }) => !there.has(name)), ...gone]);
  };
  return { edits, added, setAdded, setKey, isTouched, moveTo, change: changeOf(keys, edits, added) };
}
