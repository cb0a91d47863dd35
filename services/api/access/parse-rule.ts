import { parseDuration } from '../../../libs/validation/duration.ts';
import type { Member, Node } from './hcl/parse.ts';
import { CAPABILITIES, type Capability, type ParameterValues, type Rule } from './policy.ts';

/** The capabilities that each value of the older key `policy` means. */
const OLDER_WORDS = new Map<unknown, Capability[]>([
  ['deny', ['deny']],
  ['read', ['read', 'list']],
  ['write', ['create', 'read', 'update', 'delete', 'list']],
  ['sudo', ['create', 'read', 'update', 'delete', 'list', 'sudo']],
]);

const KEYS = [
  'capabilities',
  'required_parameters',
  'allowed_parameters',
  'denied_parameters',
  'min_wrapping_ttl',
  'max_wrapping_ttl',
  'subscribe_event_types',
  'policy',
];

// A note, which no request depends on.
const IGNORED_KEYS = ['comment'];
// Capabilities of other servers. They give a right on something that is not offered here.
const IGNORED_CAPABILITIES: unknown[] = ['recover', 'scan'];

type Note = (at: number, message: () => string) => void;

/**
 * Records what is wrong, or has no effect here, and where. A message is made only if it is kept, because a text can have
 * faults without number.
 */
export type Report = { fault: Note; ignored: Note };

/** A text in quotes, as far as a message can hold it. */
export function quote(text: string): string {
  return JSON.stringify(text.slice(0, 120));
}

/** Reads the rule of a path from its block. Faults are reported; a rule with faults must not be used. */
export function parseRule(body: Node, path: string, report: Report): Rule {
  const suffix = `of ${quote(path)}`;
  const rule: Rule = { capabilities: [] };
  if (body.kind !== 'object') {
    report.fault(body.at, () => `the rule ${suffix} must be an object with capabilities`);
    return rule;
  }
  reportDoubles(body.members, report);
  for (const member of body.members) readMember(member, rule, suffix, report);
  const { min_wrapping_ttl: shortest = 0, max_wrapping_ttl: longest = Infinity } = rule;
  if (shortest > longest) {
    report.fault(
      body.at,
      () => `the rule ${suffix} has a min_wrapping_ttl that is longer than its max_wrapping_ttl`,
    );
  }
  reportHalfSubscription(rule, body, suffix, report);
  return { ...rule, capabilities: [...new Set(rule.capabilities)] };
}

// Each gives nothing without the other.
function reportHalfSubscription(rule: Rule, body: Node, suffix: string, report: Report): void {
  const subscribes = rule.capabilities.includes('subscribe');
  if (subscribes === (rule.subscribe_event_types !== undefined)) return;
  const [given, missing] = subscribes
    ? ['the capability subscribe', 'subscribe_event_types']
    : ['subscribe_event_types', 'the capability subscribe'];
  report.ignored(body.at, () => `${given} ${suffix} has no effect without ${missing}`);
}

/** Reports each key that occurs twice in one object. */
export function reportDoubles(members: Pick<Member, 'at' | 'key'>[], report: Report): void {
  const seen = new Set<string>();
  for (const { at, key } of members) {
    if (seen.has(key)) report.fault(at, () => `the key ${quote(key)} occurs twice`);
    seen.add(key);
  }
}

function readMember({ at, key, labels, value }: Member, rule: Rule, suffix: string, report: Report): void {
  if (IGNORED_KEYS.includes(key)) {
    report.ignored(at, () => `${key} ${suffix} has no effect here`);
  } else if (!KEYS.includes(key)) {
    report.fault(
      at,
      () =>
        `the rule ${suffix} has ${quote(key)}, which is not enforced here; it may have ${KEYS.join(', ')}`,
    );
  } else if (labels[0]) report.fault(labels[0].at, () => '{ or = is expected here');
  else if (key === 'capabilities') addCapabilities(value, rule, suffix, report);
  else if (key === 'policy') rule.capabilities.push(...olderWord(value, report));
  else if (key === 'required_parameters')
    rule.required_parameters = textsOf(value, key, report).map((name) => name.toLowerCase());
  else if (key === 'subscribe_event_types') {
    const types = textsOf(value, key, report);
    if (types.length > 0) rule.subscribe_event_types = types;
  } else if (key === 'allowed_parameters' || key === 'denied_parameters') {
    const values = valuesOf(value, key, report);
    if (Object.keys(values).length > 0) rule[key] = values;
  } else if (key === 'min_wrapping_ttl' || key === 'max_wrapping_ttl') {
    const seconds = secondsOf(value, key, report);
    if (seconds > 0) rule[key] = seconds;
  }
}

function addCapabilities(node: Node, rule: Rule, suffix: string, report: Report): void {
  if (node.kind !== 'list') return report.fault(node.at, () => `the capabilities ${suffix} must be a list`);
  for (const item of node.items) {
    const given = item.kind === 'scalar' ? item.value : undefined;
    const known = CAPABILITIES.find((capability) => capability === given);
    if (known) rule.capabilities.push(known);
    else if (IGNORED_CAPABILITIES.includes(given))
      report.ignored(item.at, () => `the capability ${String(given)} ${suffix} has no effect here`);
    else
      report.fault(
        item.at,
        () =>
          `the capabilities ${suffix} must be some of ${CAPABILITIES.join(', ')}, not ${JSON.stringify(plain(item)).slice(0, 120)}`,
      );
  }
}

function olderWord(node: Node, report: Report): Capability[] {
  const meant = node.kind === 'scalar' ? OLDER_WORDS.get(node.value) : undefined;
  if (!meant) report.fault(node.at, () => `policy must be one of ${[...OLDER_WORDS.keys()].join(', ')}`);
  return meant ?? [];
}

function textsOf(node: Node, key: string, report: Report): string[] {
  const items = node.kind === 'list' ? node.items : [node];
  const texts = items.flatMap((item) =>
    item.kind === 'scalar' && typeof item.value === 'string' ? [item.value] : [],
  );
  if (node.kind !== 'list' || texts.length < items.length)
    report.fault(node.at, () => `${key} must be a list of names`);
  return texts;
}

function valuesOf(node: Node, key: string, report: Report): ParameterValues {
  if (node.kind !== 'object') {
    report.fault(node.at, () => `${key} must be an object of lists: { "name" = ["value"] }`);
    return {};
  }
  reportDoubles(
    node.members.map((member) => ({ at: member.at, key: member.key.toLowerCase() })),
    report,
  );
  return Object.fromEntries(
    node.members.map(({ at, key: name, labels, value }) => {
      if (labels[0]) report.fault(labels[0].at, () => '{ or = is expected here');
      if (value.kind !== 'list') report.fault(at, () => `the values of ${quote(name)} must be a list`);
      return [name.toLowerCase(), value.kind === 'list' ? value.items.map(plain) : []];
    }),
  );
}

function secondsOf(node: Node, key: string, report: Report): number {
  const { value = null } = node.kind === 'scalar' ? node : {};
  const seconds = typeof value === 'string' || typeof value === 'number' ? parseDuration(value) : undefined;
  if (seconds === undefined || seconds < 0)
    report.fault(node.at, () => `${key} must be seconds or a duration such as "1h30m"`);
  return seconds ?? 0;
}

function plain(node: Node): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plain);
  return Object.fromEntries(node.members.map(({ key, value }) => [key, plain(value)]));
}
