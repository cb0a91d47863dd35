import { changeBehind, changeWords, type SecretChange } from '../../libs/telling/attempts.ts';
import type { Fields } from './client/http.ts';
import { renderTable, textOf } from './output.ts';

/** Attempts at entries in a store, of one secret or of several. */
export function renderAttempts(lines: Fields[]): string {
  const hasSecrets = lines.some((line) => 'secret_name' in line);
  return renderTable(
    [
      'at',
      ...(hasSecrets ? ['secret'] : []),
      'key',
      'why',
      'action',
      'entry',
      'version',
      'outcome',
      'cause',
      'ms',
    ],
    lines.map((line) => [
      line['at'],
      ...(hasSecrets ? [secretOf(line)] : []),
      line['sub_key'],
      whyOf(line),
      line['action'],
      line['external_name'],
      line['version'],
      line['outcome'],
      causeOf(line),
      line['ms'],
    ]),
  );
}

/** The code and the message of a cause; empty without one. */
export function causeOf(one: Fields): string {
  const cause = one['cause'] as { code: string; message: string } | null;
  return cause ? `${cause.code}: ${cause.message}` : '';
}

// The mount may be gone.
function secretOf({ mount, secret_name: name }: Fields): string {
  return `${textOf(mount)}/${textOf(name)}`;
}

type Waited = { since: string; for: string | null };

type Trigger = { cause: string; by: string | null; change?: SecretChange };

// Why it was tried, and who caused that.
function whyOf({ trigger, version, waited }: Fields): string {
  if (!trigger) return '';
  const { cause, by, change } = trigger as Trigger;
  const behind = changeBehind({ ...(change ? { change } : {}), version: version as number | null });
  const words = behind && changeWords(behind);
  const why = words ? `${words.what} ${words.deed}` : cause;
  return `${by === null ? why : `${why} by ${by}`}${waited ? waitedText(waited as Waited) : ''}`;
}

function waitedText({ since, for: code }: Waited): string {
  return `, waited since ${since}${code === null ? '' : `: ${code}`}`;
}
