/** Answers about certificates in the settings. Other code imports only the types, so that it loads nothing. */

import { Type, type Static } from 'typebox';
import { byName, closed, sentTime } from '../schema.ts';

const text = Type.String();

/** What a certificate in the settings says. */
export const certificateAnswer = closed({
  subject: text,
  issuer: text,
  fingerprint: Type.String({ description: 'SHA-256 of the certificate, in hex with colons.' }),
  'valid-from': sentTime,
  'valid-until': sentTime,
  'days-left': Type.Integer({ description: 'Whole days until it ends; less than 0: it has ended.' }),
  standing: Type.Enum(['not_yet_valid', 'valid', 'ends_soon', 'ended'], {
    description: '`ends_soon`: within 30 days.',
  }),
});

export type CertificateAnswer = Static<typeof certificateAnswer>;

export const samlCheckAnswer = closed({
  data: closed({
    type: text,
    attributes: closed({
      certificates: byName(
        certificateAnswer,
        'What the certificates would say, by the names of their attributes.',
      ),
      'no-longer-accepted': Type.Array(certificateAnswer, {
        description:
          'Certificates of the identity provider that are accepted now, and would not be any more.',
      }),
    }),
  }),
});

/** What a change of the SAML settings would do. */
export type SamlCheckAnswer = Static<typeof samlCheckAnswer>;
