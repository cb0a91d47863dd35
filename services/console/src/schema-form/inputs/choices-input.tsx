import { Fragment, useId } from 'react';
import kit from '../../kit/kit.module.css';

const FEW = 8;

/** A list of known words, each a check box. Others that are in it are shown as they are. Many of them are folded. */
export function ChoicesInput({
  labelledBy,
  describedBy,
  words,
  items,
  unset = 'All',
  disabled,
  barred = {},
  change,
}: {
  labelledBy: string;
  describedBy: string | undefined;
  /** What people read for each word. */
  words: Record<string, string>;
  items: string[];
  /** What none of many means. */
  unset?: string | undefined;
  disabled: boolean;
  /** Words that cannot be chosen, each with the reason. What is chosen already can be given up. */
  barred?: Record<string, string>;
  change: (items: string[]) => void;
}) {
  const id = useId();
  const all = [...new Set([...Object.keys(words), ...items])];
  const boxes = (
    <div role="group" aria-labelledby={labelledBy} aria-describedby={describedBy}>
      {all.map((word) => (
        <Fragment key={word}>
          <label className={kit.check}>
            <input
              type="checkbox"
              checked={items.includes(word)}
              disabled={disabled || (word in barred && !items.includes(word))}
              aria-describedby={word in barred ? `${id}-${word}` : undefined}
              onChange={({ target }) =>
                change(all.filter((one) => (one === word ? target.checked : items.includes(one))))
              }
            />
            <span>{words[word] ?? word}</span>
          </label>
          {word in barred ? (
            <p id={`${id}-${word}`} className={`${kit.small} ${kit.muted}`}>
              {barred[word]}
            </p>
          ) : null}
        </Fragment>
      ))}
    </div>
  );
  if (all.length <= FEW) return boxes;
  return (
    <details>
      <summary className={kit.touch}>{items.length === 0 ? unset : `${items.length} chosen`}</summary>
      {boxes}
    </details>
  );
}
