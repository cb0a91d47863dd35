import { Type, type Static } from 'typebox';
import { SETTINGS_KINDS } from '../settings/definition.ts';

// Who asks for a change (a display name), and for which state of the document.
const changeFields = { author: Type.Optional(Type.String()), ifMatch: Type.Optional(Type.String()) };

const changeSchema = Type.Object(changeFields);

const changedSchema = Type.Object({
  changes: Type.Record(Type.String(), Type.Unknown()),
  document: Type.Object({
    attributes: Type.Record(Type.String(), Type.Unknown()),
    revision: Type.Integer(),
    changed_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    changed_by: Type.Union([Type.String(), Type.Null()]),
  }),
});

const mailSchema = Type.Object({
  to: Type.String({ minLength: 3 }),
  subject: Type.String(),
  text: Type.String(),
  messageId: Type.String(),
});

const mailStateSchema = Type.Union([
  Type.Object({ state: Type.Literal('disabled') }),
  Type.Object({ state: Type.Literal('works'), server: Type.String() }),
  Type.Object({ state: Type.Literal('fails'), detail: Type.String(), isLogin: Type.Boolean() }),
]);

const daysOrNone = Type.Union([Type.Integer(), Type.Null()]);

/** Who asks for a change of a document, and of which state of it; absent: of any. */
export type ChangeRequest = Static<typeof changeSchema>;

/** What a change did to each attribute, for the audit trail, and the whole document after it; a secret that is set is `*****` there. */
export type DocumentChange = Static<typeof changedSchema>;

export type Mail = Static<typeof mailSchema>;

/** What a settings worker found when it logged in to the mail server; `detail` holds the server's reply codes. */
export type MailState = Static<typeof mailStateSchema>;

/** The commands to the settings worker. */
export const settingsCommands = {
  'update-settings': {
    body: Type.Object({
      kind: Type.Enum([...SETTINGS_KINDS]),
      attributes: Type.Record(Type.String(), Type.Unknown()),
      ...changeFields,
    }),
    result: changedSchema,
  },
  'revoke-old-certificate': { body: changeSchema, result: changedSchema },
  'check-mail': { body: Type.Null(), result: mailStateSchema },
  'send-mail': { body: mailSchema, result: Type.Null() },
  'verify-sms': { body: Type.Object({ number: Type.String({ minLength: 1 }) }), result: Type.Null() },
  'set-retention-policy': {
    body: Type.Object({ days: Type.Integer({ minimum: 1 }) }),
    result: Type.Object({
      policy: Type.Object({ id: Type.String(), delete_older_than_days: Type.Integer() }),
      created: Type.Boolean(),
      former: daysOrNone,
    }),
  },
  'remove-retention-policy': { body: Type.Null(), result: Type.Object({ former: daysOrNone }) },
};
