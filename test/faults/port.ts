import { isPortFree } from '../../deploy/local/ports.ts';

const LOWEST = 20_000;
const COUNT = 12_000;

/** A free port below those that the system assigns itself, so that no other program takes it before its process listens. */
export async function reservePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    if (await isPortFree(port)) return port;
  }
}
