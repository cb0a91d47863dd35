import { createExchange, type ExchangeOptions, type Received } from './exchange.ts';

const STATUS_WITHOUT_BODY = new Set([204, 205, 304]);

export type FetchInit = {
  method?: string | undefined;
  headers?: ConstructorParameters<typeof Headers>[0] | undefined;
  body?: string | Uint8Array | null | undefined;
  signal?: AbortSignal | null | undefined;
};

/**
 * The part of `fetch` that vendor SDKs use, over a given agent. Returns redirects and never follows them. Failures carry
 * a `code`; an abort is an `AbortError`.
 */
export function createFetch(options: ExchangeOptions) {
  const exchange = createExchange(options);

  return async (input: string | URL, init: FetchInit = {}): Promise<Response> => {
    const { method = 'GET', body = null, signal = null } = init;
    const headers = Object.fromEntries(new Headers(init.headers));
    const url = new URL(input);
    url.hash = '';
    return toResponse(await exchange(url.href, { method, headers, body, signal }));
  };
}

function toResponse({ status, statusText, headers, body }: Received): Response {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const single of Array.isArray(value) ? value : [value ?? '']) given.append(name, single);
  }
  return new Response(STATUS_WITHOUT_BODY.has(status) ? null : body, { status, statusText, headers: given });
}
