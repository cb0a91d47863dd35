const MOST_REMEMBERED = 1000;

/** A write that failed: its token, and the version that it made, if known. */
export type UnsettledWrite = { token: string; version: number | null };

/** The failed writes of one session that a repeat must know about. */
export type Unsettled = {
  find: (name: string, token: string) => UnsettledWrite | undefined;
  note: (name: string, write: UnsettledWrite) => void;
  settle: (name: string) => void;
};

/**
 * The store takes no request token, so a repeated write makes another version, which costs money. The session remembers
 * failed writes, and a repeat looks first. Another worker does not know of them and just writes.
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
