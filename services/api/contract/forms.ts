/** Answers from which forms are drawn. Other code imports only the types, so that it loads nothing. */

import { Type, type Static } from 'typebox';
import { anyObject, closed, nullable, texts } from './schema.ts';

/** A field of a form: its name, and the keywords of its JSON Schema. */
export type FieldAnswer = {
  name: string;
  /** The label. Absent: the name says it. */
  title?: string;
  /** What a sentence calls it, where the label is none that can stand in one. */
  noun?: string;
  type?: string | string[];
  description?: string;
  enum?: string[];
  /** What people read for each value of `enum`, or for each word that may be in a list. */
  words?: Record<string, string>;
  default?: unknown;
  pattern?: string;
  /** What is said of a value that does not match `unless`, and is taken all the same. */
  doubt?: { unless: string; text: string };
  format?: string;
  /** It is a time of the day, such as `22:00`. */
  clock?: boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  sensitive?: boolean;
  readOnly?: boolean;
  writeOnly?: boolean;
  /** Sealift itself does not use it. */
  storedOnly?: boolean;
  /** A former name or form of another field. */
  older?: boolean;
  /** It is masked where it is stored, but no secret by itself. */
  visible?: boolean;
  is_required?: boolean;
  /** It matters only if each of these fields has the value, or one of the values. */
  applies?: Record<string, string | string[]>;
  /** It is off, and cannot be turned on, if this field has the value, or contains it; `text` says why. */
  offWith?: { field: string; value: string; text: string };
  /** Few people need it. */
  rare?: boolean;
  /** What counts while it is empty, in words. */
  unset?: string;
  /** Each name of a map may have a list of values. */
  several?: boolean;
  /** Words to choose from for a text or a list; others are possible. */
  suggestions?: string[];
  /** What each of them is, if nothing else exists. */
  suggestion_noun?: string;
};

// The keywords are those of JSON Schema, and marks of our own; a client skips those that it does not know.
const fieldAnswer = Type.Unsafe<FieldAnswer>({
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' } },
  additionalProperties: true,
  description: 'A field of a form: its name, and the keywords of its JSON Schema.',
});

const signInModeAnswer = closed({
  mode: Type.Enum(['static', 'app', 'federated', 'ambient']),
  title: Type.String(),
  fields: { ...texts, description: 'Its settings. Settings of no mode belong to all.' },
  required: { ...texts, description: 'The settings without which it is not this mode.' },
  usual: Type.Record(Type.String(), Type.String(), {
    description: 'What its settings usually are, for a form to fill in.',
  }),
  steps: Type.Array(
    closed({
      text: Type.String(),
      code: nullable(Type.String()),
      when: nullable(Type.String(), 'The setting that must be on for the step to be needed.'),
      unless: nullable(Type.String(), 'The setting that, if it is on, makes the step needless.'),
    }),
    {
      description:
        'What to do at the store. `{iss}`, `{issuer}` (without `https://`), `{sub}`, `{aud}`, `{session}` and names of settings in braces stand for their values.',
    },
  ),
});

/** A way in which a destination may sign in. */
export type SignInModeAnswer = Static<typeof signInModeAnswer>;

const destinationTypeAnswer = closed({
  type: Type.String(),
  aliases: texts,
  title: Type.String(),
  settings: Type.Array(fieldAnswer),
  options: Type.Array(fieldAnswer),
  fixed_settings: texts,
  modes: Type.Array(signInModeAnswer, { description: 'Empty: there is only one way to sign in.' }),
  identity: nullable(
    closed({ iss: Type.String(), sub: Type.String() }),
    'Who a destination of this namespace is towards its store. In `sub`, `{name}` stands for its name.',
  ),
  when_new: { ...anyObject, description: 'Settings that a new destination gets if they are left out.' },
  default_granularity: Type.String(),
  default_templates: closed({ 'secret-path': Type.String(), 'secret-key': Type.String() }),
  names: closed({ allowed: Type.String(), replacement: Type.String(), max_length: Type.Integer() }),
  limits: closed({ value_bytes: Type.Integer(), entries: nullable(Type.Integer()) }),
});

export type DestinationTypeAnswer = Static<typeof destinationTypeAnswer>;

const settingsActionAnswer = closed({
  path: Type.String(),
  title: Type.String(),
  description: Type.String(),
  attributes: Type.Array(fieldAnswer),
  irrevocable: Type.Boolean({ description: 'Ask the user to confirm first.' }),
});

/** An action on settings: a POST of `attributes` to `path`. */
export type SettingsActionAnswer = Static<typeof settingsActionAnswer>;

const settingsKindAnswer = closed({
  kind: Type.String(),
  type: Type.String(),
  resource: Type.String({ description: 'The type of the document.' }),
  may_be_absent: Type.Boolean({
    description: 'The document is 404 until it is written, and a DELETE removes it.',
  }),
  attributes: Type.Array(fieldAnswer, { description: 'Empty: there is no document.' }),
  actions: Type.Array(settingsActionAnswer),
});

/** Settings at `/api/v2/admin/{type}`. */
export type SettingsKindAnswer = Static<typeof settingsKindAnswer>;

const authKindAnswer = closed({
  type: Type.String(),
  title: Type.String(),
  config: Type.Array(fieldAnswer, { description: 'Empty: it has no configuration.' }),
  role: Type.Array(fieldAnswer),
  secret_id: Type.Array(fieldAnswer, { description: 'Empty: it has no secret ids.' }),
});

/** A type of auth method, with the fields of its forms. */
export type AuthKindAnswer = Static<typeof authKindAnswer>;

export const schemasAnswer = closed({
  destinations: Type.Array(destinationTypeAnswer),
  settings: Type.Array(settingsKindAnswer),
  placeholders: texts,
  alerts: Type.Array(fieldAnswer, { description: 'The fields of a rule for alerts.' }),
  auth_methods: Type.Array(authKindAnswer),
  auth_tuning: Type.Array(fieldAnswer, { description: 'The fields of every auth method.' }),
});

export type SchemasAnswer = Static<typeof schemasAnswer>;
