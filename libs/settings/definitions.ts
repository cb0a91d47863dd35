import { costEstimationSettings } from './cost-estimation.ts';
import { customizationSettings } from './customization.ts';
import type { SettingsDefinition } from './definition.ts';
import { generalSettings } from './general.ts';
import { samlSettings } from './saml.ts';
import { smsSettings } from './sms.ts';
import { smtpSettings } from './smtp.ts';

/** All settings documents; the API's endpoints and the worker's command are derived from them. */
export const settingsDefinitions: SettingsDefinition[] = [
  generalSettings,
  costEstimationSettings,
  samlSettings,
  smtpSettings,
  smsSettings,
  customizationSettings,
];

/** The name of a settings document: `type` in the path and in the document, and its `id`. */
export type DocumentName = { type: string; id: string };

/** Other names of settings documents, by their kind. */
export const ALIASES: Record<string, DocumentName[]> = {
  sms: [{ type: 'twilio-settings', id: 'twilio' }],
};
