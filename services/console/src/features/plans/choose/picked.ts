/** The secrets of a mount that are chosen so far, by their path. */
export type Picked = {
  has: Set<string>;
  add: (paths: string[]) => void;
  remove: (paths: string[]) => void;
};
