import { withLabels } from '../../schema-form/fields.ts';
import { faultsNamed, faultsOfSettings, type Checked } from '../plans/check.tsx';
import { modeOf } from '../sign-in-modes/modes.ts';
import type { Draft } from './steps.ts';

const KEY_CAUSES = new Set(['credentials_refused', 'credentials_missing']);

/**
 * What a test says of fields: of settings, or of a key that the store does not take. A key is marked at the fields that the
 * answer names, or else at all of it, and what is said stands at the first.
 */
export function faultsOfAnswer(
  { schema, edits, mode: chosen }: Draft,
  checked: Checked | null,
): Record<string, string> {
  const cause = checked && 'answer' in checked ? checked.answer.cause : null;
  if (!cause || !KEY_CAUSES.has(cause.code)) return faultsOfSettings(checked, schema.settings);
  const mode = modeOf(schema, { values: schema.when_new, edits, chosen });
  if (mode && mode.mode !== 'static') return {};
  const named = faultsNamed(cause.message, schema.settings);
  if (Object.keys(named).length > 0) return named;
  const keys = schema.settings.filter(
    ({ name, sensitive, is_required: isRequired }) =>
      sensitive && (mode ? mode.required.includes(name) : isRequired),
  );
  const said = withLabels(cause.message, schema.settings);
  return Object.fromEntries(keys.map(({ name }, index) => [name, index === 0 ? said : '']));
}
