import { costEstimationSettings } from './cost-estimation.ts';
import { customizationSettings } from './customization.ts';
import type { SettingsDefinition } from './definition.ts';
import { generalSettings } from './general.ts';
import { samlSettings } from './saml.ts';
import { smsSettings } from './sms.ts';
import { smtpSettings } from './smtp.ts';

/** Every settings document there is; the API's endpoints and the worker's command follow from it. */
export const settingsDefinitions: SettingsDefinition[] = [
  generalSettings,
  costEstimationSettings,
  samlSettings,
  smtpSettings,
  smsSettings,
  customizationSettings,
];
