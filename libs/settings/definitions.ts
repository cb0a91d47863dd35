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
