const MOST_REMEMBERED = 1000;

/** A write that did not end well: the token it was made with, and the version it made where that is known. */
export type Doubt = { token: string; version: number | null };

/** Writes of one session of which a repeat has something to know. */
export type Unsettled = {
  find: (name: string, token: string) => Doubt | undefined;
  note: (name: string, doubt: Doubt) => void;
  settle: (name: string) => void;
};

/**
 * The store takes no request token, so a repeated write makes another version, which costs money. What went wrong is
 * remembered while the session lasts, and a repeat then looks first. Another worker knows nothing of it and just writes.
 */
export function createUnsettled(): Unsettled {
  const doubts = new Map<string, Doubt>();
  return {
    find(name, token) {
      const doubt = doubts.get(name);
      return doubt?.token === token ? doubt : undefined;
    },
    note(name, doubt) {
      doubts.delete(name);
      doubts.set(name, doubt);
      const oldest = doubts.keys().next();
      if (doubts.size > MOST_REMEMBERED && !oldest.done) doubts.delete(oldest.value);
    },
    settle: (name) => void doubts.delete(name),
  };
}
