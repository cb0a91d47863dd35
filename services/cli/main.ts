#!/usr/bin/env node
import { CommanderError } from 'commander';
import { exitCodeOf } from './exit-codes.ts';
import { printable } from './output.ts';
import { createProgram } from './program.ts';

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
  // What the operator can act on; our own errors carry no secret. The parser has told its own already.
  if (!(error instanceof CommanderError)) {
    process.stderr.write(`sealift: ${printable(error instanceof Error ? error.message : String(error))}\n`);
  }
}
