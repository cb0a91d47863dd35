import { randomUUID } from 'node:crypto';
import { maxHeaderSize, STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiServices } from '../services.ts';

type Refusal = { status: number; text: string };

const BROKEN: Refusal = {
  status: 400,
  text: 'the request is not valid HTTP/1.1, and the connection is closed',
};

const REFUSALS: Record<string, Refusal> = {
  HPE_INVALID_METHOD: {
    status: 400,
    text: 'the method is unknown: send GET (with list=true instead of LIST), POST, PUT, PATCH or DELETE',
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    text: `the request line and the headers must have at most ${maxHeaderSize} bytes together`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, text: 'the extensions of a chunk are too long: send none' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, text: 'the request did not arrive in time: send it again' },
};

/**
 * Answers bytes that Node cannot read as a request, in the shape of our other refusals, then closes the connection. The
 * dialect of the intended endpoint is unknown at this point.
 */
export function handleClientErrors(
  server: Server,
  { log, metrics }: Pick<ApiServices, 'log' | 'metrics'>,
): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code !== 'ECONNRESET' && canAnswer(socket)) {
      const { status, text } = REFUSALS[error.code ?? ''] ?? BROKEN;
      const requestId = randomUUID();
      socket.write(render(status, text, requestId));
      metrics.requests.inc({ route: 'none', status: String(status) });
      log.info({ requestId, status, code: error.code }, 'unreadable request');
    }
    socket.destroy(error);
  });
}

// If an answer has begun, the client would take our bytes for a part of it.
function canAnswer({ writable, _httpMessage: begun }: Duplex & { _httpMessage?: ServerResponse }): boolean {
  return writable && !begun?.headersSent;
}

function render(status: number, text: string, requestId: string): string {
  const body = JSON.stringify({ errors: [text] });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    '',
    body,
  ].join('\r\n');
}
