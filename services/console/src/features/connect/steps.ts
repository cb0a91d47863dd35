import type { DestinationTypeAnswer, FieldAnswer } from '../../../../api/contract/forms.ts';
import { IF_ABSENT } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { destinationPath } from '../../api/queries.ts';
import { rightFor, type Right } from '../../api/right.ts';
import { sortFaults, withoutNeedless } from '../../schema-form/fields.ts';
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

/** A call about a draft. It is refused if a destination has the name, and never answered about that one. */
export function ofDraft(call: Call): Call {
  return { ...call, rights: [rightFor(call.method, call.path)], headers: IF_ABSENT };
}

/** The same for a call after which a worker uses the draft. It needs the right to create the destination. */
export function tryOf({ schema, name }: Draft, call: Call): Call {
  const { rights = [], ...rest } = ofDraft(call);
  const creation: Right = { path: destinationPath(schema.type, name), capability: 'create' };
  return { ...rest, rights: [...rights, creation] };
}

/** The call that tries the credentials of a draft, which may have no name yet. */
export function draftCheckOf(draft: Draft, name: string): Call {
  const whole = { ...draft, name: name || 'draft' };
  const path = `${destinationPath(draft.schema.type, whole.name)}/check`;
  return tryOf(whole, { method: 'POST', path, body: bodyOf(draft) });
}

/** Does the work of a step. A refusal of what stands in another step leads to its form. */
export async function leadBack(
  draft: Draft,
  { go, refuse }: { go: (step: number) => void; refuse: (failure: unknown) => void },
  here: number,
  work: () => Promise<void>,
): Promise<void> {
  const { settings, options } = draft.schema;
  try {
    await work();
  } catch (error) {
    const step = stepOf(draft, sortFaults(error, [NAME_FIELD, ...settings, ...options]).byField);
    if (step === undefined || step === here) throw error;
    refuse(error);
    go(step);
  }
}

// The step whose form has a faulty field; undefined if none has.
function stepOf({ schema }: Draft, faults: Record<string, string>): number | undefined {
  const has = (fields: Pick<FieldAnswer, 'name'>[]): boolean =>
    fields.some(({ name }) => Object.hasOwn(faults, name));
  if (has([NAME_FIELD, ...schema.settings])) return 1;
  return has(schema.options) ? 2 : undefined;
}
