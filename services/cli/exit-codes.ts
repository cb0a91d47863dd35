import { CommanderError } from 'commander';
import { ConfigError } from '../../libs/config/config-error.ts';
import { FormerSchemaError } from '../../libs/db/former-schema.ts';
import { isUnreachable } from '../../libs/db/unreachable.ts';
import { KeyServiceAwayError } from '../../libs/master-key/key-services/failure.ts';

/** The exit codes of all commands. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  denied: 4,
  unreachable: 5,
  configuration: 78,
} as const;

/** One line for each exit code, for the help. */
export const exitCodeHelp = `
Exit codes:
  0   done
  1   failed; the reason is on standard error
  2   wrong usage: an unknown command, option or argument
  3   not found
  4   the token lacks a right, or is unknown or expired
  5   the API, Postgres, RabbitMQ or a key service cannot be reached
  78  a setting is missing or cannot be used`;

/** A failure with the exit code of the command; the message is a sentence for people and contains no secret. */
export class CommandError extends Error {
  readonly exitCode: number;
  constructor(kind: keyof typeof exitCodes, message: string) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCodes[kind];
  }
}

/** The exit code of the command for an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof ConfigError || error instanceof FormerSchemaError) return exitCodes.configuration;
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  return error instanceof KeyServiceAwayError || isUnreachable(error)
    ? exitCodes.unreachable
    : exitCodes.failed;
}
