import { createDefaultHttpClient, type HttpClient } from '@azure/core-rest-pipeline';

/** The address under which the vendor's SDK, which insists on https, calls a vault over http with `plainHttp`. */
export function asHttps(url: string): string {
  return url.replace(/^http:/, 'https:');
}

/** Sends calls of the vendor's SDK over http. */
export function plainHttp(): HttpClient {
  const inner = createDefaultHttpClient();
  return {
    sendRequest: (request) => {
      const url = request.url.replace(/^https:/, 'http:');
      return inner.sendRequest({ ...request, url, allowInsecureConnection: true });
    },
  };
}
