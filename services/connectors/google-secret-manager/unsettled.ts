const MOST_REMEMBERED = 1000;

/** A write that did not end well: the token it was made with, and the version it made where that is known. */
export type UnsettledWrite = { token: string; version: number | null };

/** Writes of one session of which a repeat has something to know. */
export type Unsettled = {
  find: (name: string, token: string) => UnsettledWrite | undefined;
  note: (name: string, write: UnsettledWrite) => void;
  settle: (name: string) => void;
};

/**
 * The store takes no request token, so a repeated write makes another version, which costs money. What went wrong is
 * remembered while the session lasts, and a repeat then looks first. Another worker knows nothing of it and just writes.
 */
export function createUnsettled(): Unsettled {
  const writes = new Map<string, UnsettledWrite>();
  return {
    find(name, token) {
      const write = writes.get(name);
      return write?.token === token ? write : undefined;
    },
    note(name, write) {
      writes.delete(name);
      writes.set(name, write);
      const oldest = writes.keys().next();
      if (writes.size > MOST_REMEMBERED && !oldest.done) writes.delete(oldest.value);
    },
    settle: (name) => void writes.delete(name),
  };
}
