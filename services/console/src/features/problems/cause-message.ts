const REQUEST = /^(?<text>.*) \(request (?<id>[^()]+)\)$/s;

/** What a message says, and the id that the store gave to the request; each request has another one. */
export function partsOfMessage(message: string): { text: string; id: string | undefined } {
  const { text = message, id } = REQUEST.exec(message)?.groups ?? {};
  return { text, id };
}
