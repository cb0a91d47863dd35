import { Type } from 'typebox';
import { RequestError } from '../../../../libs/errors/request-error.ts';
import { smsSettings } from '../../../../libs/settings/sms.ts';
import { endpoint, type Endpoint } from '../../routing/endpoint.ts';
import { namesOf } from './names.ts';

const optionalText = Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] }));

/** Tries the SMS provider with a number that is not kept. POST as documented; PATCH is what clients send. */
export const smsVerifyEndpoints: Endpoint[] = namesOf(smsSettings).map(({ type }) =>
  endpoint({
    method: 'POST',
    alsoMethods: ['PATCH'],
    path: `/api/v2/admin/${type}/verify`,
    access: 'policy',
    summary: 'Sends a test SMS with the stored settings',
    body: Type.Object({
      data: Type.Optional(
        Type.Object({ attributes: Type.Optional(Type.Object({ 'test-number': optionalText })) }),
      ),
    }),
    handle: async ({ services, body }) => {
      const number = body.data?.attributes?.['test-number']?.trim();
      if (!number) {
        const detail = 'test-number is required';
        throw new RequestError(400, 'bad_request', [{ detail, pointer: '/data/attributes/test-number' }]);
      }
      await services.commands.call('settings', { name: 'verify-sms', body: { number } });
      return { status: 200, plain: { type: 'application/vnd.api+json', body: '' } };
    },
  }),
);
