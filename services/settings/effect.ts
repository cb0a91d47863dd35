import type { Attributes } from '../../libs/settings/definition.ts';

/** What a change does outside before it is stored. If it throws, the change must not be stored. */
export type Effect = (document: Attributes) => Promise<void>;
