/** What may be done with a path; `deny` wins over everything. */
export type Capability =
  'create' | 'read' | 'update' | 'patch' | 'delete' | 'list' | 'sudo' | 'subscribe' | 'deny';

export const CAPABILITIES: Capability[] = [
  'create',
  'read',
  'update',
  'patch',
  'delete',
  'list',
  'sudo',
  'subscribe',
  'deny',
];

/**
 * Names of parameters, in lower case, with the values that the rule is about; an empty list means every value. The name
 * `*` means every parameter.
 */
export type ParameterValues = Record<string, unknown[]>;

/** What one pattern of paths allows. */
export type Rule = {
  capabilities: Capability[];
  /** In lower case. */
  required_parameters?: string[];
  allowed_parameters?: ParameterValues;
  denied_parameters?: ParameterValues;
  /** Seconds. With either limit, the request must ask for a wrapped answer. */
  min_wrapping_ttl?: number;
  max_wrapping_ttl?: number;
  /** The types of events that `subscribe` gives a right to; `*` stands for any letters. */
  subscribe_event_types?: string[];
};

/** As stored: the rule of each path pattern. In a pattern, `+` matches one segment and `*` at the end matches any rest. */
export type PolicyDocument = { path: Record<string, Rule> };

const EVERYTHING: Capability[] = ['create', 'read', 'update', 'patch', 'delete', 'list', 'sudo'];

/** Fixed policies that nobody can change or delete. `root` may do everything. */
export const BUILT_IN_POLICIES: Record<string, PolicyDocument> = {
  root: { path: { '*': { capabilities: [...EVERYTHING, 'subscribe'], subscribe_event_types: ['*'] } } },
  'site-admin': { path: { 'api/v2/*': { capabilities: EVERYTHING } } },
  default: {
    path: {
      'auth/token/lookup-self': { capabilities: ['read', 'update'] },
      'auth/token/renew-self': { capabilities: ['update'] },
      'auth/token/revoke-self': { capabilities: ['update'] },
      'cubbyhole/*': { capabilities: ['create', 'read', 'update', 'delete', 'list'] },
      'sys/wrapping/wrap': { capabilities: ['update'] },
      'sys/wrapping/lookup': { capabilities: ['update'] },
      'sys/wrapping/unwrap': { capabilities: ['update'] },
    },
  },
};
