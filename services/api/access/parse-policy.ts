import { badRequest } from '../../../libs/errors/request-error.ts';
import { HclError, placeOf } from './hcl/hcl-error.ts';
import { parseHcl, type Member, type Node } from './hcl/parse.ts';
import { mergeRules } from './merge-rules.ts';
import { parseRule, reportDoubles, type Report } from './parse-rule.ts';
import { pathFault } from './path-fault.ts';
import type { PolicyDocument, Rule } from './policy.ts';

const MOST_FAULTS = 20;

/**
 * Parses a policy that is written in HCL or JSON. Throws 400 with the faults (20 at most) and their places. Anything
 * that we would not enforce is a fault: to ignore it would allow more than the author meant.
 */
export function parsePolicy(source: string): PolicyDocument {
  const faults: string[] = [];
  const report: Report = (at, message) => {
    if (faults.length < MOST_FAULTS) faults.push(`${placeOf(source, at)}: ${message}`);
  };
  const rules = new Map<string, Rule[]>();
  for (const { at, path, body } of pathsOf(read(source), report)) {
    const fault = pathFault(path);
    if (fault !== undefined) report(at, fault);
    const rule = parseRule(body, path, report);
    const known = rules.get(path);
    if (known) known.push(rule);
    else rules.set(path, [rule]);
  }
  if (faults.length > 0) throw badRequest(...faults);
  return { path: Object.fromEntries([...rules].map(([path, several]) => [path, mergeRules(several)])) };
}

type PathRule = { at: number; path: string; body: Node };

// Either `path "x" { … }`, or `path = { "x" = { … } }`, which is the form of JSON.
function pathsOf(members: Member[], report: Report): PathRule[] {
  let found: PathRule[] = [];
  // Existing files have a `name` as a label. It holds nothing that we would have to enforce.
  const others = members.filter(({ key, value }) => key !== 'path' && !(key === 'name' && isText(value)));
  for (const { at, key } of others) report(at, `a policy has only the key path, not ${JSON.stringify(key)}`);
  for (const { at, key, labels, value } of members) {
    if (key !== 'path') continue;
    const [label, further] = labels;
    if (further) report(further.at, 'a path block must have exactly one path');
    else if (label) found.push({ at: label.at, path: label.text, body: value });
    else if (value.kind !== 'object')
      report(at, 'path must be an object of paths, or a block: path "…" { … }');
    else found = found.concat(pathsIn(value.members, report));
  }
  // If a path occurs twice, other readers of the document would silently lose one of its rules.
  reportDoubles(
    members.filter(({ key, labels }) => key !== 'path' || labels.length === 0),
    report,
  );
  return found;
}

function pathsIn(members: Member[], report: Report): PathRule[] {
  reportDoubles(members, report);
  for (const { labels } of members) if (labels[0]) report(labels[0].at, '{ or = is expected here');
  return members.map(({ at, key, value }) => ({ at, path: key, body: value }));
}

function isText(node: Node): boolean {
  return node.kind === 'scalar' && typeof node.value === 'string';
}

function read(source: string): Member[] {
  try {
    return parseHcl(source);
  } catch (error) {
    if (error instanceof HclError) throw badRequest(`the policy cannot be read: ${error.message}`);
    throw error;
  }
}
