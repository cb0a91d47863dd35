import { useId, useRef } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { useExactText, VERBATIM } from '../../kit/text/exact-text.ts';
import styles from './policy.module.css';

const PLACE = /\bline (\d+), column (\d+)/;

/** The text of a policy with line numbers. If a refusal names lines, they are marked, and buttons lead to them. */
export function PolicyText({
  text,
  failure,
  isFixed,
  type,
}: {
  text: string;
  failure: unknown;
  isFixed: boolean;
  type: (text: string) => void;
}) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const exact = useExactText(isFixed ? inLines(text) : text, type);
  const lines = exact.value.split('\n');
  const faulty = faultyLines(failure);
  const go = (line: number): void => {
    const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
    area.current?.focus();
    area.current?.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  };
  return (
    <div className={`${kit.stack} ${kit.tight}`}>
      <label className={kit.label} htmlFor={id}>
        Policy, in HCL or JSON
      </label>
      <div className={styles.editor}>
        <div className={styles.numbers} aria-hidden>
          {lines.map((_, index) => (
            <span key={index} className={faulty.includes(index + 1) ? styles.faulty : ''}>
              {index + 1}
            </span>
          ))}
        </div>
        <textarea
          id={id}
          ref={area}
          className={styles.text}
          {...VERBATIM}
          wrap="off"
          rows={Math.max(8, lines.length)}
          aria-invalid={faulty.length > 0}
          readOnly={isFixed}
          {...exact}
        />
      </div>
      {faulty.length > 0 ? (
        <div className={kit.row}>
          {faulty.map((line) => (
            <Button key={line} onClick={() => go(line)}>
              Go to line {line}
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  );
}

/** The numbers of the lines that a refusal names, from 1. */
export function faultyLines(failure: unknown): number[] {
  if (!(failure instanceof ApiFailure)) return [];
  const found = failure.problems.map(({ detail }) => Number(PLACE.exec(detail)?.[1] ?? 0));
  return [...new Set(found.filter((line) => line > 0))];
}

// A built-in policy is one line of JSON.
function inLines(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
