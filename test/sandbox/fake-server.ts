import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAcceptance } from './acceptance.ts';
import type { Fake, FakeDefinition, FakeOptions, Fault } from './contract.ts';
import { answerControl, CONTROL_PREFIX } from './control.ts';
import { createCopies } from './copies.ts';
import { createFaultList } from './faults.ts';
import { createLedger } from './ledger.ts';
import { answerStore } from './pipeline.ts';
import { readRequest, sendReply } from './transport.ts';
import type { Trust } from './trust.ts';
import { createLimitGate } from './write-limit.ts';

export type * from './contract.ts';
export { readJson } from './transport.ts';

/** Starts a fake on loopback. The definition describes the store; this does everything else. */
export async function startFake(definition: FakeDefinition, options: FakeOptions = {}): Promise<Fake> {
  const ledger = createLedger();
  const copies = createCopies(options.copyLagMs);
  const acceptance = createAcceptance();
  const faults = createFaultList();
  const gate = createLimitGate(options.limit);
  const latencyMs = options.latencyMs ?? 0;

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(message);
    if (request.path.startsWith(CONTROL_PREFIX)) return sendReply(response, answerControl(fake, request));
    const { answered } = options;
    const parts = { definition, ledger, faults, gate, copies, acceptance, latencyMs, answered };
    return answerStore(parts, request, response);
  }

  // A client whose request could not be read gets no reply.
  const listener = (message: IncomingMessage, response: ServerResponse) =>
    void answer(message, response).catch(() => response.destroy());
  const server = options.tls ? createHttpsServer(options.tls, listener) : createHttpServer(listener);
  // No idle limit: if the server closed a kept-alive connection, the client would see it as a cut.
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  const trusts: Trust[] = [];
  let limited: Fault | undefined;
  const fake: Fake = {
    url: `${options.tls ? 'https' : 'http'}://${options.hostname ?? '127.0.0.1'}:${port}`,
    type: definition.type,
    calls: ledger.calls,
    callsOf: (operation) => ledger.calls().filter((call) => call.operation === operation),
    highestConcurrency: ledger.highest,
    refusedCalls: ledger.refused,
    clearCalls: () => ledger.clear(),
    addFault(fault) {
      if (fault.kind !== 'limit') return faults.add(fault);
      const limit = { writes: fault.writes ?? 1, perMs: fault.perMs ?? 1000 };
      gate.set(limit);
      limited = { ...fault, ...limit };
    },
    faults: () => [...faults.list(), ...(limited ? [limited] : [])],
    clearFaults() {
      faults.clear();
      limited = undefined;
      gate.set(options.limit);
    },
    entries: () => definition.entries(),
    plant: (entry) => definition.plant(entry),
    ...(definition.trust && {
      trust: (trust: Trust) => {
        definition.trust?.(trust);
        trusts.push(trust);
      },
    }),
    trusts: () => trusts,
    acceptAfter: acceptance.after,
    reset() {
      definition.reset();
      trusts.length = 0;
      acceptance.clear();
      ledger.clear();
      fake.clearFaults();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return fake;
}
