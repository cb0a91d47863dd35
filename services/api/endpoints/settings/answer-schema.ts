import { Type, type TSchema } from 'typebox';
import { hasMark, type SettingsDefinition } from '../../../../libs/settings/definition.ts';
import { settingsAnswerOf } from '../../contract/administration.ts';
import { closed, nullable } from '../../contract/schema.ts';

/** The schema of a settings document as it is shown: without its secrets, and with what follows from the configuration. */
export function answerSchema({ schema, kind, masksSecrets = false }: SettingsDefinition): TSchema {
  const shown = Object.entries<TSchema>(schema.properties).flatMap(
    ([name, property]): [string, TSchema][] => {
      if (hasMark(property, 'writeOnly')) return [];
      if (!hasMark(property, 'sensitive')) return [[name, property]];
      return masksSecrets ? [[name, nullable(Type.String())]] : [];
    },
  );
  const derived = kind === 'saml' ? { 'acs-consumer-url': Type.String(), 'metadata-url': Type.String() } : {};
  return settingsAnswerOf(closed({ ...Object.fromEntries(shown), ...derived }));
}
