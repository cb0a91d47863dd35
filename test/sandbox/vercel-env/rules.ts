import type { Content } from './store.ts';

/** Why the vendor refuses a row, with its own texts and codes. */
export type Fault = { code: string; message: string; status?: number };

const TARGETS = ['production', 'preview', 'development'];
const TYPES = ['system', 'encrypted', 'plain', 'sensitive'];
const RESERVED = new Set([
  'AWS_SECRET_KEY',
  'AWS_EXECUTION_ENV',
  'AWS_LAMBDA_LOG_GROUP_NAME',
  'AWS_LAMBDA_LOG_STREAM_NAME',
  'AWS_LAMBDA_FUNCTION_NAME',
  'AWS_LAMBDA_FUNCTION_MEMORY_SIZE',
  'AWS_LAMBDA_FUNCTION_VERSION',
  'NOW_REGION',
  'TZ',
  'LAMBDA_TASK_ROOT',
  'LAMBDA_RUNTIME_DIR',
]);
const MOST_BYTES = 64 * 1024;

/** Parses a row. Returns a fault if it is malformed, which makes the whole call fail. */
export function readContent(body: unknown): Content | Fault {
  const { key, value, type, target, gitBranch, customEnvironmentIds, comment } = (body ?? {}) as Record<
    string,
    unknown
  >;
  if (typeof key !== 'string' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(key) || key.length > 256)
    return malformed(
      'The name contains invalid characters. Only letters, digits, and underscores are allowed.',
    );
  if (typeof value !== 'string') return malformed('`value` should be string.');
  if (typeof type !== 'string' || !TYPES.includes(type))
    return malformed('`type` should be one of the allowed values.');
  const targets = readTargets(target);
  const custom = (customEnvironmentIds as string[] | undefined) ?? [];
  if (!targets || targets.length + custom.length === 0)
    return malformed('`target` should have at least 1 item.');
  if (typeof comment === 'string' && comment.length > 500) return malformed('`comment` is too long.');
  return {
    key,
    value,
    type,
    target: targets,
    gitBranch: typeof gitBranch === 'string' ? gitBranch : null,
    customEnvironmentIds: custom,
    comment: typeof comment === 'string' ? comment : '',
  };
}

/** The vendor's checks of a well-formed row. */
export function checkContent({ key, value, type, target, gitBranch }: Content): Fault | undefined {
  if (RESERVED.has(key))
    return {
      code: 'RESERVED_ENV_VARIABLE',
      message: `The name of your Environment Variable, ${key}, is reserved.`,
    };
  if (type === 'sensitive' && target.includes('development'))
    return malformed('You cannot set a Sensitive Environment Variable’s target to development.');
  if (gitBranch !== null && (target.length !== 1 || target[0] !== 'preview'))
    return malformed('A branch is allowed for preview only.');
  if (Buffer.byteLength(value) > MOST_BYTES) return malformed('The value is larger than 64 KB.');
  return undefined;
}

export function readTargets(target: unknown): string[] | undefined {
  if (target === undefined) return [];
  if (!Array.isArray(target)) return undefined;
  return target.every((one) => TARGETS.includes(one as string)) ? [...(target as string[])] : undefined;
}

export function malformed(message: string): Fault {
  return { code: 'BAD_REQUEST', message };
}

export function isFault(value: object): value is Fault {
  return 'message' in value;
}
