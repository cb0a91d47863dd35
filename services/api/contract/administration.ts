/** Answers of site administration, and of policies. Other code imports only the types, so that it loads nothing. */

import { Type, type Static, type TSchema } from 'typebox';
import { certificateAnswer } from './saml/certificates.ts';
import { anyObject, byName, closed, nullable, sentTime, texts, time } from './schema.ts';

const text = Type.String();
const textOrNull = nullable(text);

export const policyAnswer = closed({ name: text, policy: text });

export type PolicyAnswer = Static<typeof policyAnswer>;

const listedPolicyAnswer = closed({
  changed_at: nullable(time, 'Null: it is built in, and never changes.'),
  changed_by: textOrNull,
  tokens: nullable(Type.Integer(), 'How many live tokens have it. Null: the caller may not read who has it.'),
  roles: nullable(Type.Integer(), 'How many roles and teams give it to new tokens.'),
});

export type ListedPolicyAnswer = Static<typeof listedPolicyAnswer>;

/** Policies; `key_info` is there if the query asks for details. */
export const policiesAnswer = closed({
  keys: Type.Array(text),
  key_info: Type.Optional(byName(listedPolicyAnswer)),
  reading_values: Type.Optional({
    ...texts,
    description: 'Those of the policies asked for that allow to read values of secrets.',
  }),
});

export type PoliciesAnswer = Static<typeof policiesAnswer>;

/** The same by the older name of the field. */
export const olderPolicyAnswer = closed({ name: text, rules: text });

const auditEventAnswer = closed({
  id: text,
  type: Type.Literal('audit-events'),
  attributes: closed({
    at: time,
    user: nullable(text, 'The person who has logged in.'),
    actor: text,
    accessor: textOrNull,
    'auth-method': nullable(text, 'How the caller came in.'),
    policies: nullable(texts),
    address: textOrNull,
    namespace: text,
    action: text,
    path: text,
    secret: textOrNull,
    outcome: text,
    status: nullable(Type.Integer()),
    'request-id': textOrNull,
    detail: nullable(anyObject, 'Names only, never a value.'),
  }),
});

/** Entries of older versions have null in newer attributes. */
export type AuditEventAnswer = Static<typeof auditEventAnswer>;

export const auditEventsAnswer = closed({
  data: Type.Array(auditEventAnswer),
  links: closed({ self: text, first: text, next: textOrNull }),
  meta: closed({
    pagination: closed({ 'page-size': Type.Integer(), 'next-after': textOrNull }),
    'kept-days': nullable(Type.Integer(), 'How many days entries are kept; null: for ever.'),
  }),
});

export type AuditEventsAnswer = Static<typeof auditEventsAnswer>;

/** Different names of the audit trail, in order. */
export const auditNamesAnswer = closed({ data: texts });

export type AuditNamesAnswer = Static<typeof auditNamesAnswer>;

/** The keys that verify the tokens which this service signs, newest first. */
export const signingKeysAnswer = closed({
  data: Type.Array(
    closed({
      id: Type.String({ description: 'The `kid` in the tokens.' }),
      type: text,
      attributes: closed({
        'created-at': sentTime,
        'replaced-at': nullable(sentTime, 'Since when another key signs; null: this one signs.'),
        'last-token-ends-at': nullable(
          sentTime,
          'No token that it signed is valid after this; null: it signs.',
        ),
      }),
    }),
  ),
  meta: closed({
    'rotates-at': nullable(sentTime, 'When a new key is made by itself.'),
    'trims-at': nullable(sentTime, 'When the keys that do not sign are removed by themselves.'),
  }),
});

export type SigningKeysAnswer = Static<typeof signingKeysAnswer>;

/** Where a test of single sign-on goes on. */
export const signInTestAnswer = closed({
  data: closed({
    type: text,
    attributes: closed({
      'sign-in-url': Type.String({
        description: 'The address at the identity provider. It can be used once.',
      }),
    }),
  }),
});

export type SignInTestAnswer = Static<typeof signInTestAnswer>;

const changedMeta = { revision: text, 'changed-at': nullable(time), 'changed-by': textOrNull };

const policyEngineVersionAnswer = closed({
  id: text,
  type: text,
  attributes: closed({
    version: text,
    url: nullable(text, 'That of linux/amd64; null if there is no such build.'),
    sha: textOrNull,
    deprecated: Type.Boolean(),
    'deprecated-reason': textOrNull,
    official: Type.Boolean(),
    enabled: Type.Boolean(),
    beta: Type.Boolean(),
    usage: Type.Integer(),
    'created-at': time,
    archs: Type.Array(closed({ url: text, sha: text, os: text, arch: text })),
  }),
  meta: closed(changedMeta),
});

export type PolicyEngineVersionAnswer = Static<typeof policyEngineVersionAnswer>;

export const policyEngineVersionDocument = closed({ data: policyEngineVersionAnswer });

/** A page of JSON API resources. */
export function pageOfResources<Item extends TSchema>(item: Item) {
  const integer = Type.Integer();
  return closed({
    data: Type.Array(item),
    links: closed({ self: text, first: text, prev: textOrNull, next: textOrNull, last: text }),
    meta: closed({
      pagination: closed({
        'current-page': integer,
        'page-size': integer,
        'prev-page': nullable(integer),
        'next-page': nullable(integer),
        'total-pages': integer,
        'total-count': integer,
      }),
    }),
  });
}

export const policyEngineVersionsAnswer = pageOfResources(policyEngineVersionAnswer);

/** A settings document with these attributes; `warnings` after a change that sent unknown attributes. */
export function settingsAnswerOf<Attributes extends TSchema>(attributes: Attributes) {
  return closed({
    data: closed({
      id: text,
      type: text,
      attributes,
      meta: closed({
        ...changedMeta,
        set: Type.Array(text, { description: 'Secrets that are set and never shown.' }),
        certificates: Type.Optional(
          byName(certificateAnswer, 'Of SAML: what the certificates say, by the names of their attributes.'),
        ),
        'public-url': Type.Optional(
          Type.String({
            description:
              'Of SAML: PUBLIC_URL, from which the addresses for the identity provider are made. Empty: it is not set, and they are made from HOST and PORT.',
          }),
        ),
      }),
    }),
    meta: Type.Optional(closed({ warnings: texts })),
  });
}

const settingsAnswer = settingsAnswerOf(anyObject);

/** The settings document of any kind. */
export type SettingsAnswer = Static<typeof settingsAnswer>;

/** The resource type of the data retention policy. */
export const RETENTION_RESOURCE = 'data-retention-policy-delete-olders';

export const retentionAnswer = closed({
  data: closed({
    id: Type.String(),
    type: Type.Literal(RETENTION_RESOURCE),
    attributes: closed({ 'delete-older-than-n-days': Type.Integer() }),
    relationships: closed({ target: closed({ data: Type.Null() }) }),
  }),
});

export type RetentionAnswer = Static<typeof retentionAnswer>;

/** Up to how many rows of each kind a preview of a retention policy counts. */
export const MOST_COUNTED = 1000;

export const retentionPreviewAnswer = closed({
  data: closed({
    type: Type.Literal('data-retention-previews'),
    attributes: closed({
      'audit-days': Type.Integer({ description: 'How many days audit entries are kept.' }),
      'audit-entries': Type.Integer(),
      'history-entries': Type.Integer(),
      'deleted-versions': Type.Integer(),
    }),
  }),
});

export type RetentionPreviewAnswer = Static<typeof retentionPreviewAnswer>;
