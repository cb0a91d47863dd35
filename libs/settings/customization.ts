import { Type, type Static } from 'typebox';
import { isEmailAddress } from './addresses.ts';
import { text } from './attributes.ts';
import { attributeProblem, defineSettings } from './definition.ts';
import { defaultsOf, loadDocument } from './documents.ts';

// An address that reaches nobody: the preset of the interface.
const PRESET_SUPPORT = 'support@sealift.example';

const schema = Type.Object({
  'support-email-address': text(
    'Address for questions. Emails and pages show it. If empty, they show none.',
    PRESET_SUPPORT,
  ),
  'login-help': text('Help for people who sign in.', ''),
  footer: text('Text at the end of the pages of a SAML login.', ''),
  error: text('Instructions on the page of a SAML login that ended in an unexpected error.', ''),
  'new-user': text('Instructions for people who have signed in and have no permissions yet.', ''),
});

export type CustomizationSettings = Static<typeof schema>;

/** Texts for people. HTML is stored unchanged; the program that shows it must make it safe. */
export const customizationSettings = defineSettings({
  kind: 'customization',
  type: 'customization-settings',
  schema,
  findProblems: (document) => {
    const address = document['support-email-address'];
    return address === '' || isEmailAddress(address)
      ? []
      : [attributeProblem('support-email-address', 'must be an email address')];
  },
});

/** The present texts, or the presets if they cannot be read now, because the page that shows them matters more. */
export async function loadCustomization(
  storage: Parameters<typeof loadDocument>[0],
): Promise<CustomizationSettings> {
  const document = await loadDocument(storage, customizationSettings).catch(() => undefined);
  return (document?.attributes ?? defaultsOf(customizationSettings)) as CustomizationSettings;
}

/** Whom people can ask; undefined if nobody is named. */
export function supportAddressOf(settings: CustomizationSettings): string | undefined {
  const address = settings['support-email-address'];
  return address === '' || address === PRESET_SUPPORT ? undefined : address;
}
