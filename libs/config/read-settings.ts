import type { Static, TObject } from 'typebox';
import { createValidator } from '../validation/validator.ts';
import { ConfigError } from './config-error.ts';

/**
 * Reads the settings of a schema from their variables. An empty variable counts as unset; defaults are filled in. Throws
 * ConfigError.
 */
export function readSettings<Schema extends TObject>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): Static<Schema> {
  const given = Object.keys(schema.properties).flatMap((name) =>
    environment[name] ? [[name, environment[name]]] : [],
  );
  const checked = createValidator(schema, { weak: true, defaults: true })(Object.fromEntries(given));
  if ('value' in checked) return checked.value;
  throw new ConfigError(checked.faults.map((fault) => `${fault.pointer.slice(1)} ${fault.message}`));
}
