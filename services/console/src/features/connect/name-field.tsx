import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/client.ts';
import { ApiFailure, isOvertaking, type Problem } from '../../api/failure.ts';
import { destinationNamesQuery, destinationPath, LIST_DESTINATIONS } from '../../api/queries.ts';
import { usePaused } from '../../kit/paused.ts';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { Field } from '../../kit/text/field.tsx';
import { LineInput } from '../../kit/text/line-input.tsx';
import { findMissing, findTypedFaults } from '../../schema-form/faults.ts';
import { modeOf, withRequired } from '../sign-in-modes/modes.ts';
import { NAME_FIELD, ofDraft, type Draft } from './steps.ts';

const TAKEN = 'The name is taken by another destination of this type.';

/** The name of a new destination. */
export function NameField({
  type,
  name,
  fault,
  setName,
}: {
  type: string;
  name: string;
  fault: string | undefined;
  setName: (name: string) => void;
}) {
  const isTaken = useIsTaken(type, name);
  return (
    <Field label={NAME_FIELD.title} isRequired fault={fault ?? (isTaken ? TAKEN : undefined)}>
      {(control) => <LineInput {...control} placeholder="production" value={name} change={setName} />}
    </Field>
  );
}

// Before anybody asks. The API has the last word.
function useIsTaken(type: string, name: string): boolean {
  const enabled = useHasRights([LIST_DESTINATIONS]);
  const { data: stored = [] } = useQuery({ ...destinationNamesQuery, enabled });
  const paused = usePaused(name);
  return name === paused && stored.some((one) => one.type === type && one.name === name);
}

/** Throws ApiFailure if the name is taken, as far as the user may find that out. */
export async function refuseTaken({ schema, name }: Draft): Promise<void> {
  const path = `${destinationPath(schema.type, name)}/preview`;
  await ask(ofDraft({ method: 'POST', path, body: { secrets: [] } })).catch((error: unknown) => {
    if (isOvertaking(error)) throw error;
  });
}

/** Throws ApiFailure if something is not typed, or not as it must be, without which no store can be connected. */
export async function refuseIncomplete({ schema, name, edits, mode: chosen }: Draft): Promise<void> {
  const typed = { values: schema.when_new, edits };
  const mode = modeOf(schema, { ...typed, chosen });
  const fields = withRequired(schema.settings, mode);
  const problems = [...faultsOfName(name), ...findMissing(fields, typed), ...findTypedFaults(fields, typed)];
  if (problems.length > 0) throw new ApiFailure({ status: 400, problems });
}

function faultsOfName(name: string): Problem[] {
  if (name === '') return [{ field: NAME_FIELD.name, detail: 'Enter a name.' }];
  if (/^[\w.-]{1,128}$/.test(name)) return [];
  return [{ field: NAME_FIELD.name, detail: 'Use 1 to 128 letters, digits, “_”, “.” or “-”.' }];
}
