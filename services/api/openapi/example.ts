/**
 * A call with its answer. A test makes the calls of a table in their order against the running service and compares, so
 * that the document shows nothing that is not so.
 */
export type Example = {
  /** The row it is of: `METHOD path` as the endpoint's table spells them. */
  of: string;
  name: string;
  /** Values of the path's parameters; `mount` too where the path lies in one. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** JSON, or a text that is sent as it is. `<name>` stands for something that an earlier answer held. */
  body?: unknown;
  /** Without a token: `null`. */
  token?: null;
  status: number;
  /** What the envelope of the secrets dialect carries. */
  data?: unknown;
  auth?: unknown;
  wrapInfo?: unknown;
  warnings?: string[];
  /** The whole answer where there is no envelope. */
  answer?: unknown;
  /** Names parts of the answer for later examples: `<name>` to a path such as `auth.client_token`. */
  keep?: Record<string, string>;
};

/** The answer of an example as it goes out; undefined for an empty one. */
export function answerOf(example: Example): unknown {
  const { data, auth, wrapInfo, warnings, answer } = example;
  if (answer !== undefined) return answer;
  if ([data, auth, wrapInfo, warnings].every((part) => part === undefined)) return undefined;
  return {
    request_id: '7f1c2a44-5d0e-4b55-9a0e-3c8f6f0f2b11',
    lease_id: '',
    renewable: false,
    lease_duration: 0,
    data: data ?? null,
    wrap_info: wrapInfo ?? null,
    warnings: warnings ?? null,
    auth: auth ?? null,
  };
}
