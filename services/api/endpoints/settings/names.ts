import type { SettingsDefinition } from '../../../../libs/settings/definition.ts';

/** The name of a settings document: `type` in the path and in the document, and its `id`. */
export type DocumentName = { type: string; id: string };

const ALIASES: Record<string, DocumentName[]> = {
  sms: [{ type: 'twilio-settings', id: 'twilio' }],
};

/** The document's own name. */
export function ownName({ type, kind }: Pick<SettingsDefinition, 'type' | 'kind'>): DocumentName {
  return { type, id: kind };
}

/** Every name of a document. The answer has the name that the request used. */
export function documentNamesOf(definition: Pick<SettingsDefinition, 'type' | 'kind'>): DocumentName[] {
  return [ownName(definition), ...(ALIASES[definition.kind] ?? [])];
}
