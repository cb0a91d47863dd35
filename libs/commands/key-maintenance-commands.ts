import { Type } from 'typebox';

// The audit trail names the request that asked for the change.
const body = Type.Object({ requestId: Type.String() });

/** The commands to the key-maintenance worker. */
export const keyMaintenanceCommands = {
  'rotate-key': { body, result: Type.Object({ added: Type.Union([Type.String(), Type.Null()]) }) },
  'trim-key': { body, result: Type.Object({ removed: Type.Array(Type.String()) }) },
};
