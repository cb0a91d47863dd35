let leak: string | undefined;

/** What kept the process alive after the last test; undefined where it ended by itself. */
export function findLeak(): string | undefined {
  return leak;
}

/** Gives the process 10 s to end by itself, then ends it as failed and names what a test has left open. */
export function failOnLeak(): void {
  const timer = setTimeout(() => {
    const counts = new Map<string, number>();
    for (const resource of process.getActiveResourcesInfo()) {
      counts.set(resource, (counts.get(resource) ?? 0) + 1);
    }
    leak = [...counts].map(([resource, number]) => `${number} × ${resource}`).join(', ');
    process.stderr.write(
      `\nA test left something open: 10 s after the last one, this kept running: ${leak}\n`,
    );
    // Mocha's own exit handler sets the code of the test results: ours has to come after it.
    process.on('exit', () => {
      process.exitCode = 1;
    });
    process.exit(1);
  }, 10_000);
  timer.unref();
}
