import { Button } from '../../../kit/button.tsx';
import kit from '../../../kit/kit.module.css';
import { AnyText } from '../../../kit/text/any-text.tsx';
import { LineInput } from '../../../kit/text/line-input.tsx';

/** Custom metadata as it is typed, in rows. */
export type Pair = { name: string; text: string };

/** Why a pair cannot be stored; empty if it can. */
export function faultOfPair(one: Pair, pairs: Pair[]): string {
  if (one.name === '') return one.text === '' ? '' : 'This value needs a name.';
  return pairs.some((other) => other !== one && other.name === one.name) ? 'This name appears twice.' : '';
}

/** The merge patch from stored custom metadata to what is typed. */
export function patchOfPairs(before: Record<string, string>, pairs: Pair[]): Record<string, string | null> {
  const now = new Map(pairs.filter(({ name }) => name !== '').map(({ name, text }) => [name, text]));
  const gone = Object.keys(before).filter((name) => !now.has(name));
  const set = [...now].filter(([name, text]) => !Object.hasOwn(before, name) || before[name] !== text);
  return Object.fromEntries([...set, ...gone.map((name): [string, null] => [name, null])]);
}

/** Stored custom metadata with a merge patch over it. */
export function mergeOf(
  before: Record<string, string>,
  patch: Record<string, string | null>,
): Record<string, string> {
  const merged = Object.entries({ ...before, ...patch });
  return Object.fromEntries(merged.filter((one): one is [string, string] => one[1] !== null));
}

/** Stored custom metadata as rows. */
export function pairsOf(custom: Record<string, string>): Pair[] {
  return Object.entries(custom).map(([name, text]) => ({ name, text }));
}

/** Fields for what people note about a secret. */
export function CustomMetadata({ pairs, set }: { pairs: Pair[]; set: (pairs: Pair[]) => void }) {
  const replace = (index: number, next: Pair): void =>
    set(pairs.map((other, place) => (place === index ? next : other)));
  return (
    <fieldset className={`${kit.stack} ${kit.tight}`}>
      <legend className={kit.label}>Custom metadata</legend>
      <p className={`${kit.small} ${kit.muted}`}>Notes such as an owner. They are not secret.</p>
      {pairs.map((one, index) => {
        const fault = faultOfPair(one, pairs);
        return (
          <div key={index} className={`${kit.stack} ${kit.tight}`}>
            <div className={kit.row}>
              <LineInput
                className={kit.search}
                aria-label={`Name ${index + 1}`}
                placeholder="name"
                aria-invalid={fault !== ''}
                value={one.name}
                change={(name) => replace(index, { ...one, name })}
              />
              <div className={kit.grow}>
                <AnyText
                  aria-label={`Value ${index + 1}`}
                  placeholder="value"
                  value={one.text}
                  change={(text) => replace(index, { ...one, text })}
                />
              </div>
              <Button
                aria-label={`Remove ${one.name || `row ${index + 1}`}`}
                onClick={() => set(pairs.filter((_, place) => place !== index))}
              >
                Remove
              </Button>
            </div>
            {fault ? <p className={kit.fault}>{fault}</p> : null}
          </div>
        );
      })}
      <div>
        <Button onClick={() => set([...pairs, { name: '', text: '' }])}>Add metadata</Button>
      </div>
    </fieldset>
  );
}
