/**
 * A call with its answer. A test makes the calls of a table in their order against the running service and compares the
 * answers, so that everything in the document is true.
 */
export type Example = {
  /** The row of the example: `METHOD path` as the endpoint's table spells them. */
  of: string;
  name: string;
  /** Values of the path's parameters; also `mount` if the path is in a mount. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** JSON, or a text that is sent as it is. `<name>` stands for a value from an earlier answer. */
  body?: unknown;
  /** `null`: the call sends no token. */
  token?: null;
  status: number;
  /** The parts of the envelope of the secrets dialect. */
  data?: unknown;
  auth?: unknown;
  wrapInfo?: unknown;
  warnings?: string[];
  /** The whole answer, if there is no envelope. */
  answer?: unknown;
  /** Names parts of the answer for later examples: `<name>` and a path such as `auth.client_token`. */
  keep?: Record<string, string>;
};

/** The answer of an example as it is sent; undefined for an empty one. */
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
    mount_type: /\/~kv\d/.test(example.of) ? 'kv' : 'system',
  };
}
