import type { FieldAnswer } from '../../../api/contract/forms.ts';
import { describeDuration } from '../../../../libs/telling/duration.ts';
import { zoneOf } from '../kit/time.tsx';

const HINTS: Record<string, string> = {
  list: 'One per line.',
  pairs: 'One name=value pair per line. Spaces are kept.',
  json: 'As JSON.',
  time: `In your time zone (${zoneOf()}).`,
};

/** What stands below a field: what it is, how to write it, and what its value means. */
export function notesOf(props: {
  field: FieldAnswer;
  value: unknown;
  edited: { value: unknown } | undefined;
  locked: string;
  kind: string;
  title: string;
}): string {
  const { field, kind, locked } = props;
  const notes = [
    durationOf(props),
    aboutOf(field),
    kind === 'list' && field.suggestions ? '' : hintOf(field, kind),
    kind === 'number' ? rangeOf(field) : '',
    defaultOf(field, kind),
    locked,
  ];
  return notes.filter(Boolean).join(' ');
}

const SEVERAL = 'One name=value per line. Several lines with one name: any of the values.';

function hintOf({ several }: FieldAnswer, kind: string): string | undefined {
  return several && kind === 'pairs' ? SEVERAL : HINTS[kind];
}

// The largest number that fits into the database is no limit to people, and nobody types a number below 0.
const MOST_TOLD = 2 ** 31 - 2;

function rangeOf({ minimum = 0, maximum = Infinity }: FieldAnswer): string {
  const [least, most] = [minimum, maximum].map((number) => number.toLocaleString('en'));
  if (maximum <= MOST_TOLD) return `From ${least} to ${most}.`;
  return minimum > 0 ? `${least} or more.` : '';
}

// The words of a choice are enough: nobody chooses by the names that the API has for them.
function aboutOf({ description, words }: FieldAnswer): string | undefined {
  return (words ? description?.replace(/ \(`[\w-]+`\)/g, '') : description)?.replaceAll('`', '');
}

// A choice shows its default itself, and a field for text shows it where the text goes.
function defaultOf(field: FieldAnswer, kind: string): string {
  if (kind !== 'switch' || field.default === undefined) return '';
  return field.default === true ? 'On by default.' : 'Off by default.';
}

// Many seconds say little to a person. It comes first, as the description may name other times.
function durationOf({ field, title, value, edited }: Parameters<typeof notesOf>[0]): string {
  const text = title.endsWith('(seconds)')
    ? describeDuration(Number((edited ? edited.value : value) ?? field.default))
    : '';
  return text && `That is ${text}.`;
}

/** The options of a destination, with what its template may contain. */
export function withPlaceholders(options: FieldAnswer[], placeholders: string[]): FieldAnswer[] {
  const list = placeholders.map((name) => `{{ .${name} }}`).join(', ');
  return options.map((field) =>
    field.name === 'secret_name_template'
      ? { ...field, description: `${field.description ?? ''} Placeholders: ${list}.`.trim() }
      : field,
  );
}
