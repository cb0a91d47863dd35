import { Type, type Static } from 'typebox';
import { isEmailAddress } from './addresses.ts';
import { text } from './attributes.ts';
import { attributeProblem, defineSettings } from './definition.ts';
import { defaultsOf, loadDocument } from './documents.ts';

// An address that reaches nobody: a preset of the interface.
const PRESET_SUPPORT = 'support@sealift.example';

const schema = Type.Object({
  'support-email-address': text(PRESET_SUPPORT),
  'login-help': text(''),
  footer: text(''),
  error: text(''),
  'new-user': text(''),
});

export type CustomizationSettings = Static<typeof schema>;

/** Texts for people; HTML is kept as it came and is for whoever shows it to make safe. */
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

/** The texts as they stand; the presets where they cannot be read now, since what they stand beside matters more. */
export async function loadCustomization(
  storage: Parameters<typeof loadDocument>[0],
): Promise<CustomizationSettings> {
  const document = await loadDocument(storage, customizationSettings).catch(() => undefined);
  return (document?.attributes ?? defaultsOf(customizationSettings)) as CustomizationSettings;
}

/** Whom people are to ask; undefined where nobody was named. */
export function supportAddressOf(settings: CustomizationSettings): string | undefined {
  const address = settings['support-email-address'];
  return address === '' || address === PRESET_SUPPORT ? undefined : address;
}
