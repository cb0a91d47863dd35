/** A root hook that bears the name of the test file that it runs for, so that the report can tell where it failed. */
export function ofFile(hook: () => Promise<void> | void): (this: Mocha.Context) => Promise<void> {
  return async function (this: Mocha.Context) {
    const own = this.runnable();
    const files = new Set(own.parent?.suites.map(({ file }) => file));
    const [file] = files;
    if (files.size === 1 && file !== undefined) own.file = file;
    await hook();
  };
}
