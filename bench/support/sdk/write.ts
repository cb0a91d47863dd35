/** A destination's settings; only those that are text are needed here. */
export type Settings = Record<string, string>;

/** An existing entry: its name, the ledger's reference, and the tags that a store's call replaces. */
export type Entry = { name: string; reference: string | null; tags: Record<string, string> };

/** The one SDK call that gives an entry another value. Throws the SDK's errors. */
export type Write = (entry: Entry, value: string) => Promise<unknown>;
