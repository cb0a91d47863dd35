/** One step of the schema. */
export type Migration = {
  name: string;
  sql: string;
  /**
   * Processes that do not know the step can run beside it: it only adds objects that they neither read nor write. Without
   * this flag such a process refuses to start, and all of them must be stopped before `sealift migrate`.
   */
  compatible?: boolean;
};
