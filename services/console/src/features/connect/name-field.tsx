import { useId } from 'react';
import { ApiFailure, type Problem } from '../../api/failure.ts';
import kit from '../../kit/kit.module.css';
import { LineInput } from '../../kit/text/line-input.tsx';
import { findMissing } from '../../schema-form/faults.ts';
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
  const id = useId();
  return (
    <div className={kit.field}>
      <span>
        <label className={kit.label} htmlFor={id}>
          {NAME_FIELD.title}
        </label>{' '}
        <span className={`${kit.small} ${kit.muted}`} aria-hidden>
          required
        </span>
      </span>
      <LineInput
        id={id}
        aria-required
        aria-invalid={fault !== undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
        placeholder="production"
        value={name}
        change={setName}
      />
      {fault ? (
        <p id={`${id}-fault`} className={kit.fault}>
          {fault}
        </p>
      ) : null}
    </div>
  );
}

/** Throws ApiFailure if something is not typed, or not as it must be, without which no store can be connected. */
export async function refuseIncomplete({ schema, name, edits }: Draft): Promise<void> {
  const problems = [
    ...faultsOfName(name),
    ...findMissing(schema.settings, { values: schema.when_new, edits }),
  ];
  if (problems.length > 0) throw new ApiFailure({ status: 400, problems });
}

function faultsOfName(name: string): Problem[] {
  if (name === '') return [{ field: NAME_FIELD.name, detail: 'Enter a name.' }];
  if (/^[\w.-]{1,128}$/.test(name)) return [];
  return [{ field: NAME_FIELD.name, detail: 'Use 1 to 128 letters, digits, “_”, “.” or “-”.' }];
}
