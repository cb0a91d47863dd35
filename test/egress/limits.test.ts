import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { NetworkLimits } from '../../libs/egress/guard.ts';
import { guardedAgent, keepAliveAgent, sharedAgent, type EgressAgent } from '../../libs/egress/agent.ts';
import { createFetch } from '../../libs/egress/fetch.ts';
import type { Resolve } from '../../libs/egress/lookup.ts';

type Open = (url: string, networkLimits: NetworkLimits, resolve: Resolve) => EgressAgent;

const AGENTS: Record<string, Open> = {
  guarded: (url, networkLimits, resolve) =>
    guardedAgent(url, { egressAllow: ['store.example', '127.0.0.0/8', '::1'], networkLimits }, { resolve }),
  'kept alive': (url, networkLimits, resolve) => keepAliveAgent(url, { networkLimits }, { resolve }),
  shared: (_url, networkLimits, resolve) => sharedAgent({ networkLimits }, { resolve }),
};

for (const [name, open] of Object.entries(AGENTS)) {
  describe(`networking limits: an agent that is ${name}`, () => {
    let server: Server;
    let port: number;
    let connections: number;
    before(async () => {
      server = createServer((_request, response) => response.setHeader('connection', 'close').end('here'));
      server.on('connection', () => (connections += 1));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      port = (server.address() as AddressInfo).port;
    });
    beforeEach(() => (connections = 0));
    after(() => server.close());

    /** The results of some calls, one after the other: a text, or an error code. */
    async function call(
      given: Partial<NetworkLimits>,
      host: string,
      answers: string[][] = [[]],
    ): Promise<unknown[]> {
      const found = [...answers];
      const resolve: Resolve = (_hostname, callback) =>
        callback(
          null,
          (found.shift() ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      const url = `http://${host}:${port}`;
      const agent = open(url, { addresses: [], ports: [], ...given }, resolve);
      const fetch = createFetch({ baseUrl: url, agent, timeoutMs: 5000 });
      const outcomes: unknown[] = [];
      while (outcomes.length < answers.length) {
        const outcome = fetch(`${url}/`).then((response) => response.text());
        outcomes.push(await outcome.catch((error: { code: unknown }) => error.code));
      }
      await agent.destroy();
      return outcomes;
    }

    it('an agent goes to the addresses of a name that are inside, and to no other', async () => {
      const inside = { addresses: ['127.0.0.1/32', '2001:db8::/32'] };
      expect(await call(inside, 'store.example', [['127.0.0.2', '::1', '127.0.0.1']])).to.deep.equal([
        'here',
      ]);
      expect(await call(inside, 'store.example', [['::ffff:127.0.0.1']])).to.not.deep.equal([
        'EGRESS_LIMITED',
      ]);
      connections = 0;
      for (const outside of ['127.0.0.2', '::1', '::ffff:127.0.0.2'])
        expect(await call(inside, 'store.example', [[outside]]), outside).to.deep.equal(['EGRESS_LIMITED']);
      expect(connections).to.equal(0);
    });

    it('an agent looks at each answer of a name anew', async () => {
      const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1']];
      const outcomes = await call({ addresses: ['127.0.0.1/32'] }, 'store.example', answers);
      expect(outcomes).to.deep.equal(['here', 'EGRESS_LIMITED', 'here']);
    });

    it('an agent judges a literal address, which nobody looks up', async () => {
      expect(await call({ addresses: ['127.0.0.0/30'] }, '127.0.0.1')).to.deep.equal(['here']);
      expect(await call({ addresses: ['127.0.0.2/32'] }, '127.0.0.1')).to.deep.equal(['EGRESS_LIMITED']);
      expect(await call({ addresses: ['127.0.0.0/8'] }, '[::1]')).to.deep.equal(['EGRESS_LIMITED']);
    });

    it('an agent reaches no address of one IP version where only those of the other are given', async () => {
      expect(await call({ addresses: ['2001:db8::/32'] }, '127.0.0.1')).to.deep.equal(['EGRESS_LIMITED']);
    });

    it('an agent goes to allowed ports only', async () => {
      expect(await call({ ports: [1, port] }, '127.0.0.1')).to.deep.equal(['here']);
      expect(await call({ ports: [1] }, '127.0.0.1')).to.deep.equal(['EGRESS_LIMITED']);
      expect(await call({ ports: [1] }, 'store.example', [['127.0.0.1']])).to.deep.equal(['EGRESS_LIMITED']);
    });
  });
}
