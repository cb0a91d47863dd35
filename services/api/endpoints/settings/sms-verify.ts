import { Type } from 'typebox';
import { RequestError } from '../../../../libs/errors/request-error.ts';
import { smsSettings } from '../../../../libs/settings/sms.ts';
import { endpoint, type Endpoint } from '../../routing/endpoint.ts';
import type { SettingsAction } from '../../presenters/schemas.ts';
import { documentNamesOf } from './names.ts';

const attributes = Type.Object({
  'test-number': Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Phone number that gets the test message, such as +4915112345678.',
    }),
  ),
});

// People write numbers in many ways, which the provider understands; with fewer digits, none is complete.
function faultOf(number = ''): string {
  if (number === '') return 'test-number is required';
  const isNumber = /^\+?\d{7,15}$/.test(number.replaceAll(/[\s()./-]/g, ''));
  return isNumber ? '' : 'test-number must be a phone number with its country code, such as +4915112345678';
}

const pathOf = (type: string): string => `/api/v2/admin/${type}/verify`;

export const smsActions: SettingsAction[] = [
  {
    path: pathOf(smsSettings.type),
    title: 'Send a test message',
    description: 'Sends one SMS through Twilio with the stored settings. The number is not kept.',
    irrevocable: false,
    attributes,
  },
];

/** Tries the SMS provider with a number that is not stored. POST is documented; clients send PATCH. */
export const smsVerifyEndpoints: Endpoint[] = documentNamesOf(smsSettings).map(({ type }) =>
  endpoint({
    method: 'POST',
    alsoMethods: ['PATCH'],
    path: pathOf(type),
    access: 'policy',
    summary: 'Send a test SMS with the stored settings',
    answers: { 200: {} },
    body: Type.Object({
      data: Type.Optional(Type.Object({ attributes: Type.Optional(attributes) })),
    }),
    handle: async ({ services, body }) => {
      const number = body.data?.attributes?.['test-number']?.trim();
      const detail = faultOf(number);
      if (detail !== '' || !number) {
        throw new RequestError('bad_request', [{ detail, pointer: '/data/attributes/test-number' }]);
      }
      await services.commands.call('settings', 'verify-sms', { number });
      return { status: 200, plain: { type: 'application/vnd.api+json', body: '' } };
    },
  }),
);
