import type { Random } from './random.ts';
import type { World } from './world.ts';

/** A fault: `strike` breaks something, keeps it broken for a moment, repairs it, and then resolves. */
export type Fault = { name: string; strike: (world: World, random: Random) => Promise<unknown> };
