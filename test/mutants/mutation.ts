/** One guard taken out of the source, and the tests that must notice. */
export type Mutation = {
  /** What is missing then. */
  name: string;
  file: string;
  /** Exact text, which stands in the file once. */
  find: string;
  replace: string;
  /** Compiled test files, below `dist/test`. */
  tests: string[];
};
