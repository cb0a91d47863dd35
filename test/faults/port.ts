import { isPortFree } from '../../deploy/local/ports.ts';

const LOWEST = 20_000;
const COUNT = 12_000;
// A process listens on its port only some time after the port was chosen: until then it looks free.
const given = new Set<number>();

/**
 * A free port below those that the system assigns itself, so that no other program takes it before its process listens.
 * It gives no port twice.
 */
export async function reservePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    if (given.has(port)) continue;
    given.add(port);
    if (await isPortFree(port)) return port;
  }
}
