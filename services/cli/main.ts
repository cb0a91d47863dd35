#!/usr/bin/env node
import { CommanderError } from 'commander';
import { describeRefusal, sentenceOf } from '../../libs/db/refusals.ts';
import { requireNode } from '../../libs/service/require-node.ts';
import { endWithReader } from './broken-pipe.ts';
import { exitCodeOf } from './exit-codes.ts';
import { printable } from './output.ts';
import { createProgram } from './program.ts';

endWithReader();
try {
  requireNode();
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
  // Our own messages say what the operator can do, and contain no secret. The parser has already printed its own.
  if (!(error instanceof CommanderError)) {
    process.stderr.write(`sealift: ${printable(describe(error))}\n`);
  }
}

// The text of Postgres begins with the statement.
function describe(error: unknown): string {
  const refusal = error instanceof Error && 'severity' in error ? describeRefusal(error) : null;
  if (refusal) return `${sentenceOf(refusal)}: ${refusal.advice}`;
  return error instanceof Error ? error.message : String(error);
}
