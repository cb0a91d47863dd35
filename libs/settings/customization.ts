import { Type } from 'typebox';
import { isEmailAddress } from './addresses.ts';
import { text } from './attributes.ts';
import { attributeProblem, defineSettings } from './definition.ts';

const schema = Type.Object({
  'support-email-address': text('support@sealift.example'),
  'login-help': text(''),
  footer: text(''),
  error: text(''),
  'new-user': text(''),
});

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
