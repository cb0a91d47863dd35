import type { ReactNode } from 'react';
import type { FieldAnswer } from '../../../api/contract/forms.ts';
import kit from '../kit/kit.module.css';
import { SchemaField } from './field.tsx';
import { doesApply, isOffered, offBy, isSet, titleOf, valuesIn, withLabels } from './fields.ts';

/** What the user has typed, by name. Fields that the user did not touch are absent. */
export type Edits = Record<string, unknown>;

// What is stored is shown until somebody chooses something else.
function isKept({ name, applies = {} }: FieldAnswer, values: Record<string, unknown>, edits: Edits): boolean {
  return isSet(values[name]) && !Object.keys(applies).some((other) => Object.hasOwn(edits, other));
}

/**
 * Fields from the API's schema: one form for every kind of destination and for the settings of the site. It never holds
 * stored values of secrets, and fields that the user did not touch are not sent.
 */
export function SchemaForm({
  fields,
  named = fields,
  values,
  edits,
  faults,
  fixed = [],
  fixedReason = '',
  inUse = {},
  remarks = {},
  edit,
}: {
  fields: FieldAnswer[];
  /** All fields that texts about these may name. */
  named?: FieldAnswer[] | undefined;
  /** The stored values, as the API shows them. */
  values: Record<string, unknown>;
  edits: Edits;
  faults: Record<string, string>;
  fixed?: string[];
  fixedReason?: string;
  /** What names stored secrets, such as the ID of a key. */
  inUse?: Record<string, string> | undefined;
  /** What is said of stored values. */
  remarks?: Record<string, ReactNode> | undefined;
  edit: (edits: Edits) => void;
}) {
  const valueOf = valuesIn(named, { values, edits });
  const shown = fields.filter(
    (field) =>
      faults[field.name] ||
      ([values, edits].some((given) => isOffered(field, given[field.name])) &&
        (doesApply(field, valueOf) || isKept(field, values, edits))),
  );
  const rare = shown.filter((field) => field.rare && !field.is_required && !isSet(values[field.name]));
  const offOf = (field: FieldAnswer) => (fixed.includes(field.name) ? '' : offBy(field, valueOf));
  const draw = (field: FieldAnswer, off = offOf(field)) => (
    <SchemaField
      key={field.name}
      field={{ ...field, description: withLabels(field.description ?? '', named) }}
      value={off ? false : values[field.name]}
      edited={off || !Object.hasOwn(edits, field.name) ? undefined : { value: edits[field.name] }}
      fault={faults[field.name]}
      inUse={inUse[field.name]}
      remark={remarks[field.name]}
      barred={barredBy(field, named, values, { names: fixed, reason: fixedReason })}
      locked={[off, field.readOnly ? 'Set by the service.' : fixed.includes(field.name) ? fixedReason : '']
        .filter(Boolean)
        .join(' ')}
      change={(value) => edit(withEdit(edits, field, { value, stored: values[field.name] }))}
      keep={() => edit(without(edits, field))}
    />
  );
  return (
    <div className={kit.stack}>
      {shown.filter((field) => !rare.includes(field)).map((field) => draw(field))}
      <Rare fields={rare} draw={draw} />
    </div>
  );
}

type Change = { value: unknown; stored: unknown };

// The order in which choices are made is none of theirs.
function withEdit(edits: Edits, field: FieldAnswer, { value, stored }: Change): Edits {
  const isUndone =
    Array.isArray(value) &&
    Array.isArray(stored) &&
    value.length === stored.length &&
    value.every((one) => stored.includes(one));
  return isUndone ? without(edits, field) : { ...edits, [field.name]: value };
}

function without(edits: Edits, { name }: FieldAnswer): Edits {
  return Object.fromEntries(Object.entries(edits).filter(([other]) => other !== name));
}

// Words of a field that cannot be chosen, because they would turn off a switch that is on and fixed, each with the reason.
function barredBy(
  { name }: FieldAnswer,
  fields: FieldAnswer[],
  values: Record<string, unknown>,
  fixed: { names: string[]; reason: string },
): Record<string, string> {
  const barring = fields.filter(
    (field) =>
      field.offWith?.field === name && values[field.name] === true && fixed.names.includes(field.name),
  );
  return Object.fromEntries(
    barring.map((field) => [field.offWith?.value, `Needs “${titleOf(field)}” off. ${fixed.reason}`]),
  );
}

const MOST_NAMED = 3;

function namesOf(fields: FieldAnswer[]): string {
  const names = fields.slice(0, MOST_NAMED).map(titleOf).join(', ');
  return fields.length > MOST_NAMED ? `${names} and ${fields.length - MOST_NAMED} more` : names;
}

// Fields that few people need, folded, with the first names.
function Rare({ fields, draw }: { fields: FieldAnswer[]; draw: (field: FieldAnswer) => ReactNode }) {
  if (fields.length === 0) return null;
  return (
    <details>
      <summary className={kit.summary}>
        More settings <span className={`${kit.small} ${kit.muted}`}>{namesOf(fields)}</span>
      </summary>
      <div className={`${kit.stack} ${kit.inside}`}>{fields.map((field) => draw(field))}</div>
    </details>
  );
}
