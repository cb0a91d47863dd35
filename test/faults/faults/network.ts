import { setTimeout as sleep } from 'node:timers/promises';
import type { Proxy } from '../../support/proxy.ts';
import type { Fault } from '../fault.ts';
import type { World } from '../world.ts';

const HOLD_MS = 1500;

const links: Record<string, (world: World) => Proxy[]> = {
  Postgres: ({ proxies }) => proxies.postgres,
  RabbitMQ: ({ proxies }) => proxies.rabbitmq,
  'the stores': ({ proxies }) => proxies.stores,
  'the API': ({ proxies }) => proxies.apis,
};

/** The faults of each network link: connections cut, refused, delayed and throttled. */
export const networkFaults: Fault[] = Object.entries(links).flatMap(([name, proxiesOf]) => [
  {
    name: `connections to ${name} cut again and again`,
    strike: async (world: World) => {
      for (let times = 0; times < 6; times += 1) {
        for (const proxy of proxiesOf(world)) proxy.cut();
        await sleep(200);
      }
    },
  },
  during(`no connection to ${name}`, proxiesOf, (proxy, broken) => proxy.block(broken)),
  during(`slow connections to ${name}`, proxiesOf, (proxy, broken) => proxy.delay(broken ? 60 : 0)),
  during(`narrow connections to ${name}`, proxiesOf, (proxy, broken) =>
    proxy.throttle(broken ? 40_000 : Number.POSITIVE_INFINITY),
  ),
]);

function during(
  name: string,
  proxiesOf: (world: World) => Proxy[],
  set: (proxy: Proxy, broken: boolean) => void,
): Fault {
  return {
    name,
    strike: async (world) => {
      for (const proxy of proxiesOf(world)) set(proxy, true);
      await sleep(HOLD_MS);
      for (const proxy of proxiesOf(world)) set(proxy, false);
    },
  };
}
