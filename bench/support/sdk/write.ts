/** A destination's settings; of each store only those that are text are needed here. */
export type Settings = Record<string, string>;

/** What is outside already: its name, what the ledger keeps of it, and the tags that a store's call replaces. */
export type Entry = { name: string; reference: string | null; tags: Record<string, string> };

/** The SDK's single call that gives an entry another value; throws what the SDK throws. */
export type Write = (entry: Entry, value: string) => Promise<unknown>;
