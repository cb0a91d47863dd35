import {
  createHttpHeaders,
  type HttpClient,
  type HttpHeaders,
  type PipelineRequest,
  type PipelineResponse,
} from '@azure/core-rest-pipeline';
import type { EgressAgent } from '../../../libs/egress/agent.ts';
import { createExchange, type Received } from '../../../libs/egress/exchange.ts';
import { type JsonObject, parseObject } from '../../../libs/connector/http/json.ts';
import type { Failures } from '../../../libs/connector/http/failures.ts';

/** An answer of the vault or the authority; a body that is no JSON object reads as an empty one. */
export type Answer = { status: number; headers: HttpHeaders; body: JsonObject };

export type TransportOptions = {
  /** What failures of the other side mean. */
  failures: Pick<Failures, 'describeTransport' | 'fail'>;
  /** The only origin that may be called. */
  baseUrl: string;
  agent: EgressAgent;
  timeoutMs: number;
  /** Whether a successful answer may have this body. */
  isPlausible: (body: JsonObject) => boolean;
  /** Sees every answer, before the SDK does. */
  note: (answer: Answer, request: PipelineRequest) => void;
};

/**
 * Replaces the HTTP client of the SDK's pipelines: it uses our connections and our limits. It throws ConnectorErrors for
 * everything that is no answer, and gives the SDK only bodies that its parsers can read.
 */
export function createTransport(options: TransportOptions): HttpClient {
  const exchange = createExchange(options);

  // The SDK insists on https, but an operator may allow an address that is http.
  const toBase = (url: string): string =>
    options.baseUrl.startsWith('http:') ? url.replace(/^https:/, 'http:') : url;

  async function send(request: PipelineRequest): Promise<Received> {
    const headers: Record<string, string> = { 'user-agent': 'sealift', ...request.headers.toJSON() };
    // This client does not unpack compressed answers.
    delete headers['accept-encoding'];
    const body = typeof request.body === 'string' ? request.body : null;
    // The pipeline turns whatever it gets into a real AbortSignal.
    const signal = (request.abortSignal as AbortSignal | undefined) ?? null;
    try {
      return await exchange(toBase(request.url), { method: request.method, headers, body, signal });
    } catch (error) {
      throw options.failures.describeTransport(error) ?? error;
    }
  }

  return {
    async sendRequest(request): Promise<PipelineResponse> {
      const { status, headers: received, body: bytes } = await send(request);
      const text = bytes.toString();
      // Only `set-cookie` comes as a list, and nothing here reads it.
      const headers = createHttpHeaders(received as Record<string, string>);
      const body = parseObject(text);
      const isSuccess = status >= 200 && status < 300;
      if (isSuccess && status !== 204 && !(body && options.isPlausible(body)))
        throw options.failures.fail('unexpected_answer');
      options.note({ status, headers, body: body ?? {} }, request);
      if (!body) headers.set('content-type', 'application/json');
      return { request, status, headers, bodyAsText: body || status === 204 ? text : '{}' };
    },
  };
}
