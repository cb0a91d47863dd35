import { createServer, type IncomingMessage } from 'node:http';
import { openCaller } from './commands.ts';
import { routes } from './routes.ts';
import { sayReady, surroundings } from './surroundings.ts';
import { createVault } from './vault.ts';

// The floor of the API: node:http, plain pg, and the statements of each endpoint. An entry of the audit trail is part of
// each change. No policies, validation, presenters, limits, metrics or log, and no line of Sealift.
const { port, pool, masterKey, commands } = surroundings;
const tools = { pool, vault: createVault(masterKey), callWorker: await openCaller(commands) };

createServer((message, answer) => {
  const send = (status: number, body: unknown): void => {
    answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  carryOut(message).then(
    (body) => send(200, body),
    (error: unknown) => send(500, String(error)),
  );
}).listen(port, '127.0.0.1');
sayReady();

async function carryOut(message: IncomingMessage): Promise<unknown> {
  const { pathname: path, searchParams: query } = new URL(message.url ?? '/', 'http://localhost');
  const route = routes.find((one) => one.method === message.method && one.path.test(path));
  if (!route || !message.headers.authorization) throw new Error(`no route for ${message.method} ${path}`);
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return route.answer(tools, { path, query, body: Buffer.concat(chunks).toString() });
}
