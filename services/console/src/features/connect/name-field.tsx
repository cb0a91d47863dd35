import { ApiFailure, type Problem } from '../../api/failure.ts';
import { Field } from '../../kit/text/field.tsx';
import { LineInput } from '../../kit/text/line-input.tsx';
import { findMissing, findTypedFaults } from '../../schema-form/faults.ts';
import { modeOf, withRequired } from '../sign-in-modes/modes.ts';
import { NAME_FIELD, type Draft } from './steps.ts';

/** The name of a new destination. */
export function NameField({
  name,
  fault,
  setName,
}: {
  name: string;
  fault: string | undefined;
  setName: (name: string) => void;
}) {
  return (
    <Field label={NAME_FIELD.title} isRequired fault={fault}>
      {(control) => <LineInput {...control} placeholder="production" value={name} change={setName} />}
    </Field>
  );
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
