import type { Attributes } from '../../libs/settings/definition.ts';

/** What a change does in the world before it is stored; it throws where the change must not be stored. */
export type Effect = (document: Attributes) => Promise<void>;
