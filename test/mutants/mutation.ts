/** One guard that is removed from the source, and the tests that must fail without it. */
export type Mutation = {
  /** What is missing without the guard. */
  name: string;
  file: string;
  /** Exact text, which must occur once in the file. */
  find: string;
  replace: string;
  /** Compiled test files, below `dist/test`. */
  tests: string[];
};
