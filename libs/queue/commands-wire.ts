import type { Keyring } from '../crypto/keyring.ts';
import { seal, unseal } from '../crypto/seal.ts';
import { isErrorCode } from '../errors/codes.ts';
import { outcomeUnknown, RequestError, type Problem } from '../errors/request-error.ts';

/** What a worker must do; the body is any JSON value. */
export type Command = { name: string; body: unknown };

/** How a command ended: its result, or a refusal that may be shown to the API's caller. */
export type Outcome =
  | { result: unknown }
  | { refusal: { status: number; code: string; problems: Problem[]; headers: Record<string, string> } };

/** Message types of the replies to a command: a worker took it, and how it ended. */
export const TAKEN = 'taken';
export const ENDED = 'ended';
/** The worker works on another database, and did nothing. */
export const FOREIGN = 'foreign';

/** Names the database that a command is for. */
export const DATABASE_HEADER = 'x-sealift-database';

// Some bodies hold credentials, so all of them are sealed: nobody must remember which.

/** The bytes of a command on the wire, sealed for its id, so that nobody can replay it under another id. */
export function encodeCommand(keyring: Keyring, id: string, command: Command): Buffer {
  return seal(keyring, JSON.stringify(command), `command/${id}`);
}

/** Throws UnsealError for what no process with our master key wrote. */
export function decodeCommand(keyring: Keyring, id: string, content: Buffer): Command {
  return JSON.parse(unseal(keyring, content, `command/${id}`).toString()) as Command;
}

export function encodeOutcome(keyring: Keyring, id: string, outcome: Outcome): Buffer {
  return seal(keyring, JSON.stringify(outcome), `command-outcome/${id}`);
}

/** Throws UnsealError for what no process with our master key wrote. */
export function decodeOutcome(keyring: Keyring, id: string, content: Buffer): Outcome {
  return JSON.parse(unseal(keyring, content, `command-outcome/${id}`).toString()) as Outcome;
}

/** A refusal as data. An error that is no RequestError tells nothing about itself. */
export function describeCommandError(error: unknown): Outcome {
  if (!(error instanceof RequestError)) {
    const problems = [{ detail: 'internal error; the log of the worker has the details' }];
    return { refusal: { status: 500, code: 'internal_error', problems, headers: {} } };
  }
  const { status, code, problems, headers } = error;
  return { refusal: { status, code, problems, headers } };
}

/** The result of a command; throws the RequestError if a worker refused. */
export function readOutcome(outcome: Outcome): unknown {
  if ('result' in outcome) return outcome.result;
  if (!('refusal' in outcome)) return undefined;
  const { code, problems, headers } = outcome.refusal;
  if (isErrorCode(code)) throw new RequestError(code, problems, headers);
  throw outcomeUnknown(`a worker refused with the code ${code}, which is unknown here`);
}
