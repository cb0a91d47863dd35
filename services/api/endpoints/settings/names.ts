import type { SettingsDefinition } from '../../../../libs/settings/definition.ts';

/** How a settings document is called on the path, and in its own `type` and `id`. */
export type DocumentName = { type: string; id: string };

const ALIASES: Record<string, DocumentName[]> = {
  sms: [{ type: 'twilio-settings', id: 'twilio' }],
};

/** The document's own name. */
export function ownName({ type, kind }: Pick<SettingsDefinition, 'type' | 'kind'>): DocumentName {
  return { type, id: kind };
}

/** Every name that a document answers to; it is echoed as it was asked. */
export function namesOf(definition: Pick<SettingsDefinition, 'type' | 'kind'>): DocumentName[] {
  return [ownName(definition), ...(ALIASES[definition.kind] ?? [])];
}
