import { badRequest } from '../../../libs/errors/request-error.ts';
import { CAPABILITIES, type Capability, type PolicyDocument } from './policy.ts';

const LONGEST_PATH = 1024;

/** A policy as written. Throws 400 with every fault; a key that we would not enforce is one, since ignoring it would give more than was meant. */
export function parsePolicy(input: unknown): PolicyDocument {
  if (!isObject(input))
    throw badRequest('a policy must be a JSON object: {"path": {"<path>": {"capabilities": [...]}}}');
  const unknown = Object.keys(input).filter((key) => key !== 'path');
  if (unknown.length > 0) throw badRequest(`a policy has only the key path, not ${list(unknown)}`);
  const rules = Object.hasOwn(input, 'path') ? input['path'] : undefined;
  if (!isObject(rules))
    throw badRequest('path must be an object of paths: {"<path>": {"capabilities": [...]}}');
  const faults = Object.entries(rules).flatMap(([path, rule]) => [
    ...pathFaults(path),
    ...ruleFaults(path, rule),
  ]);
  if (faults.length > 0) throw badRequest(...faults.slice(0, 20));
  return { path: rules as Record<string, { capabilities: Capability[] }> };
}

function pathFaults(path: string): string[] {
  const quoted = quote(path);
  if (path === '' || path.length > LONGEST_PATH)
    return [`the path ${quoted} must have 1 to ${LONGEST_PATH} characters`];
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(path)) return [`the path ${quoted} holds control characters`];
  if (path.slice(0, -1).includes('*'))
    return [`the path ${quoted}: * is a wildcard at the end only; + stands for one segment`];
  if (path.endsWith('+*')) return [`the path ${quoted}: +* is no wildcard; write +/*`];
  const segments = path.replace(/^\//, '').split('/');
  if (segments.slice(0, -1).includes(''))
    return [`the path ${quoted} holds an empty segment, which no request has`];
  if (segments.includes('.') || segments.includes('..'))
    return [`the path ${quoted} holds a segment . or .., which no request has`];
  if (segments[0] === 'v1') return [`the path ${quoted} begins with v1/, which requests are matched without`];
  return [];
}

function ruleFaults(path: string, rule: unknown): string[] {
  const quoted = quote(path);
  if (!isObject(rule)) return [`the rule of ${quoted} must be an object with capabilities`];
  const unknown = Object.keys(rule).filter((key) => key !== 'capabilities');
  if (unknown.length > 0)
    return [`the rule of ${quoted} has ${list(unknown)}, but only capabilities are enforced here`];
  const capabilities = Object.hasOwn(rule, 'capabilities') ? rule['capabilities'] : undefined;
  if (!Array.isArray(capabilities)) return [`the capabilities of ${quoted} must be a list`];
  const wrong = capabilities.filter((capability) => !CAPABILITIES.includes(capability as Capability));
  if (wrong.length === 0) return [];
  return [`the capabilities of ${quoted} must be of ${CAPABILITIES.join(', ')}, not ${list(wrong)}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function list(values: unknown[]): string {
  return values.slice(0, 5).map(quote).join(', ');
}

function quote(value: unknown): string {
  return JSON.stringify(value).slice(0, 120);
}
