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

/** An answer as both of our far sides give it; a body that is no JSON object reads as an empty one. */
export type Answer = { status: number; headers: HttpHeaders; body: JsonObject };

export type TransportOptions = {
  /** What failures of the far side mean. */
  failures: Pick<Failures, 'describeTransport' | 'fail'>;
  /** The only origin that is called. */
  baseUrl: string;
  agent: EgressAgent;
  timeoutMs: number;
  /** Whether a body may come with a success. */
  isPlausible: (body: JsonObject) => boolean;
  /** Sees every answer, before the SDK does. */
  note: (answer: Answer, request: PipelineRequest) => void;
};

/**
 * What the SDK's pipelines send with, in place of its own client: over our connections, with our limits. It throws
 * ConnectorErrors for whatever is no answer, and hands the SDK only bodies that its parsers survive.
 */
export function createTransport(options: TransportOptions): HttpClient {
  const exchange = createExchange(options);

  async function send(request: PipelineRequest): Promise<Received> {
    const headers: Record<string, string> = { 'user-agent': 'sealift', ...request.headers.toJSON() };
    // Compressed answers are of no use to a client that does not unpack them.
    delete headers['accept-encoding'];
    const body = typeof request.body === 'string' ? request.body : null;
    // The pipeline has made a genuine signal of whatever it was given.
    const signal = (request.abortSignal as AbortSignal | undefined) ?? null;
    try {
      return await exchange(request.url, { method: request.method, headers, body, signal });
    } catch (error) {
      throw options.failures.describeTransport(error) ?? error;
    }
  }

  return {
    async sendRequest(request): Promise<PipelineResponse> {
      const { status, headers: received, body: bytes } = await send(request);
      const text = bytes.toString();
      // Only `set-cookie` comes as a list, which nobody here reads.
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
