import { Type } from 'typebox';

// The audit trail names the request that asked for the change.
const body = Type.Object({ requestId: Type.String() });

const webhookTestSchema = Type.Object({
  url: Type.String(),
  secret: Type.String(),
  data: Type.Record(Type.String(), Type.Unknown()),
});

const keySourceSchema = Type.Union([
  Type.Object({ discoveryUrl: Type.String(), ca: Type.String() }),
  Type.Object({ keySetUrl: Type.String(), ca: Type.String() }),
]);

const keySetSchema = Type.Object({
  issuer: Type.Union([Type.String(), Type.Null()]),
  keys: Type.Array(Type.Record(Type.String(), Type.String())),
  fault: Type.Union([Type.String(), Type.Null()]),
});

const triedSchema = Type.Object({ ok: Type.Boolean(), detail: Type.String() });

/**
 * The commands to the key-maintenance worker. `test-webhook` calls a webhook as an alert would, and says in a sentence
 * what came of it. `fetch-key-set` fetches the keys of an issuer, or says in a sentence why it could not.
 */
export const keyMaintenanceCommands = {
  'fetch-key-set': { body: Type.Object({ source: keySourceSchema }), result: keySetSchema },
  'rotate-key': { body, result: Type.Object({ added: Type.Union([Type.String(), Type.Null()]) }) },
  'test-webhook': { body: webhookTestSchema, result: triedSchema },
  'trim-key': { body, result: Type.Object({ removed: Type.Array(Type.String()) }) },
};
