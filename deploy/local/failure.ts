/** A failure that the user at the terminal can fix: its message is shown without a stack. */
export class LocalFailure extends Error {
  override readonly name = 'LocalFailure';
}

/** Runs a command line tool. Shows a LocalFailure as a plain message, other errors with their stack. Both exit with 1. */
export async function runTool(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const text = error instanceof LocalFailure ? error.message : error instanceof Error ? error.stack : error;
    process.stderr.write(`\n${String(text)}\n`);
    process.exitCode = 1;
  }
}
