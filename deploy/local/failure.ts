/** A fault that the person at the terminal can act on: its message is shown as it is, without a stack. */
export class LocalFailure extends Error {
  override readonly name = 'LocalFailure';
}

/** Runs a command line tool: a failure the user can act on is told plainly, any other with its stack; both exit with 1. */
export async function runTool(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const text = error instanceof LocalFailure ? error.message : error instanceof Error ? error.stack : error;
    process.stderr.write(`\n${String(text)}\n`);
    process.exitCode = 1;
  }
}
