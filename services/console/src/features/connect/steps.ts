import type { DestinationTypeAnswer, FieldAnswer } from '../../../../api/contract/forms.ts';
import type { Call } from '../../api/curl.ts';
import { destinationPath } from '../../api/queries.ts';
import { rightFor, type Right } from '../../api/right.ts';
import { withoutNeedless } from '../../schema-form/fields.ts';
import type { Edits } from '../../schema-form/schema-form.tsx';

export const STEPS = ['Type', 'Credentials', 'Options', 'Secrets'] as const;

/**
 * The common state of the steps: a destination that is not stored yet. `mode`: how it signs in, once that is chosen; `left`:
 * what was typed for other ways to sign in.
 */
export type Draft = {
  schema: DestinationTypeAnswer;
  name: string;
  edits: Edits;
  mode: string | null;
  left: Edits;
};

/** The name of a draft, as the API calls it in a refusal. */
export const NAME_FIELD = { name: 'name', title: 'Destination name' };

/** The fields of a draft as a call sends them. */
export function bodyOf({ schema, edits }: Draft): Record<string, unknown> {
  const sent = withoutNeedless(schema.settings, { values: {}, edits });
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null && value !== ''));
}

/** The right to create the destination of a draft. Checks and plans of a draft need it too, because a worker uses it. */
export function creationOf({ schema, name }: Draft): Right {
  return { path: destinationPath(schema.type, name), capability: 'create' };
}

/** The call that tries the credentials of a draft, which may have no name yet. */
export function draftCheckOf(draft: Draft, name: string): Call {
  const whole = { ...draft, name: name || 'draft' };
  const path = `${destinationPath(draft.schema.type, whole.name)}/check`;
  return { method: 'POST', path, body: bodyOf(draft), rights: [rightFor('POST', path), creationOf(whole)] };
}

/** The step whose form has a faulty field; undefined if none has. */
export function stepOf({ schema }: Draft, faults: Record<string, string>): number | undefined {
  const has = (fields: Pick<FieldAnswer, 'name'>[]): boolean =>
    fields.some(({ name }) => Object.hasOwn(faults, name));
  if (has([NAME_FIELD, ...schema.settings])) return 1;
  return has(schema.options) ? 2 : undefined;
}
