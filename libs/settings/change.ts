import type { Problem } from '../errors/request-error.ts';
import { attributeProblem, hasMark, type Attributes, type SettingsDefinition } from './definition.ts';

/** A change that is computed but not stored: the resulting document and its problems. */
export type ComputedChange = { next: Attributes; problems: Problem[] };

/** Applies the attributes of a request whose shape was checked; ignores unknown and read-only ones. */
export function applyChange(
  definition: SettingsDefinition,
  current: Attributes,
  sent: Attributes,
): ComputedChange {
  const wanted = readPatch(definition, sent);
  const patch = definition.normalise?.(wanted) ?? wanted;
  const kept = Object.fromEntries(
    Object.entries(patch).filter(([name]) => !hasMark(definition.schema.properties[name], 'writeOnly')),
  );
  const merged = definition.merge?.(current, kept) ?? { ...current, ...kept };
  const { moved, secrets } = findKeptSecrets(definition, { current, next: merged, sent });
  if (definition.dropsSecrets?.(merged)) {
    const next = { ...merged, ...Object.fromEntries(secrets.map((name) => [name, null])) };
    return { next, problems: definition.findProblems(next, wanted) };
  }
  const refused = secrets.map((name) =>
    attributeProblem(
      name,
      `must be sent again with a new ${moved.join(' and ')}: a stored secret is not sent to another address`,
    ),
  );
  return { next: merged, problems: [...refused, ...definition.findProblems(merged, wanted)] };
}

// A stored secret must not be sent to another address than the one it was given for.
function findKeptSecrets(
  { schema }: SettingsDefinition,
  { current, next, sent }: { current: Attributes; next: Attributes; sent: Attributes },
): { moved: string[]; secrets: string[] } {
  const named = (mark: 'address' | 'sensitive'): string[] =>
    Object.entries(schema.properties).flatMap(([name, property]) => (hasMark(property, mark) ? [name] : []));
  const moved = named('address').filter(
    (name) => next[name] !== null && comparable(next[name]) !== comparable(current[name]),
  );
  if (moved.length === 0) return { moved, secrets: [] };
  const secrets = named('sensitive').filter(
    (name) => Boolean(current[name]) && (sent[name] === undefined || isMask(sent[name])),
  );
  return { moved, secrets };
}

function comparable(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

function readPatch({ schema, masksSecrets }: SettingsDefinition, sent: Attributes): Attributes {
  const patch: Attributes = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = sent[name];
    if (value === undefined || hasMark(property, 'readOnly')) continue;
    if (masksSecrets && hasMark(property, 'sensitive') && isMask(value)) continue;
    const words: unknown = (property as { enum?: unknown }).enum;
    patch[name] = value === '' && words ? (property as { default?: unknown }).default : value;
  }
  return patch;
}

function isMask(value: unknown): boolean {
  return typeof value === 'string' && /^\*+$/.test(value);
}
