import type { Problem } from '../errors/request-error.ts';
import { hasMark, type Attributes, type SettingsDefinition } from './definition.ts';

/** A change worked out but not stored: the document as it would be, and what is wrong with it. */
export type Change = { next: Attributes; problems: Problem[] };

/** Applies the attributes of a request whose shape is checked; unknown and read-only ones are ignored. */
export function applyChange(definition: SettingsDefinition, current: Attributes, sent: Attributes): Change {
  const asked = readPatch(definition, sent);
  const patch = definition.normalise?.(asked) ?? asked;
  const kept = Object.fromEntries(
    Object.entries(patch).filter(([name]) => !hasMark(definition.schema.properties[name], 'writeOnly')),
  );
  const next = definition.merge?.(current, kept) ?? { ...current, ...kept };
  return { next, problems: definition.findProblems(next, asked) };
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
