import type { Random } from './random.ts';
import type { World } from './world.ts';

/** Something that breaks: `strike` breaks it, holds it broken for a moment and fixes it, then resolves. */
export type Fault = { name: string; strike: (world: World, random: Random) => Promise<unknown> };
