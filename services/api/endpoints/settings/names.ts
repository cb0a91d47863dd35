import { ALIASES, type DocumentName } from '../../../../libs/settings/definitions.ts';
import type { SettingsDefinition } from '../../../../libs/settings/definition.ts';

/** The document's own name. */
export function ownName({ type, kind }: Pick<SettingsDefinition, 'type' | 'kind'>): DocumentName {
  return { type, id: kind };
}

/** Every name of a document. The answer has the name that the request used. */
export function documentNamesOf(definition: Pick<SettingsDefinition, 'type' | 'kind'>): DocumentName[] {
  return [ownName(definition), ...(ALIASES[definition.kind] ?? [])];
}
