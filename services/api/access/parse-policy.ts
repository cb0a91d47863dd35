import { createPause, mapInSlices } from '../../../libs/time/slices.ts';
import { badRequest } from '../../../libs/errors/request-error.ts';
import { HclError, placeOf } from './hcl/hcl-error.ts';
import { parseHcl, type Member, type Node } from './hcl/parse.ts';
import { mergeRules } from './merge-rules.ts';
import { LIMITS, requireWithin } from '../limits.ts';
import { parametersIn } from './match/compile-policy.ts';
import { parseRule, quote, reportDoubles, type Report } from './parse-rule.ts';
import { pathFault } from './path-fault.ts';
import type { PolicyDocument, Rule } from './policy.ts';

/** A policy as it is stored, and what of its text has no effect here. */
export type ParsedPolicy = { document: PolicyDocument; warnings: string[] };

/**
 * Parses a policy that is written in HCL or JSON. Throws 400 with the first faults and their places, 413 for a text that is
 * too large. What only gives something that we do not offer brings a warning. Whatever restricts and would not be enforced
 * is a fault: to ignore it would allow more than the author meant.
 */
export async function parsePolicy(source: string): Promise<ParsedPolicy> {
  requireWithin(LIMITS.policyBytes, Buffer.byteLength(source));
  const faults: string[] = [];
  const warnings: string[] = [];
  const record = (kept: string[], position: number, message: string): void => {
    if (kept.length < LIMITS.faults.value) kept.push(`${placeOf(source, position)}: ${message}`);
  };
  const report: Report = {
    fault: (position, message) => record(faults, position, message()),
    ignored: (position, message) => record(warnings, position, message()),
  };
  const found = pathsOf(await read(source), report);
  requireWithin(LIMITS.policyRules, found.length);
  const rules = new Map<string, Rule[]>();
  const pause = createPause();
  for (const { at, path, body } of found) {
    await pause();
    const fault = pathFault(path);
    if (fault !== undefined) report.fault(at, () => fault);
    const rule = parseRule(body, path, report);
    const known = rules.get(path);
    if (known) known.push(rule);
    else rules.set(path, [rule]);
  }
  if (faults.length > 0) throw badRequest(...faults);
  const merged = await mapInSlices([...rules], ([path, several]): [string, Rule] => [
    path,
    mergeRules(several),
  ]);
  requireWithin(
    LIMITS.policyParameters,
    merged.reduce((sum, [, rule]) => sum + parametersIn(rule), 0),
  );
  return { document: { path: Object.fromEntries(merged) }, warnings };
}

type PathRule = { at: number; path: string; body: Node };

// Either `path "x" { … }`, or `path = { "x" = { … } }`, which is the form of JSON.
function pathsOf(members: Member[], report: Report): PathRule[] {
  const found: PathRule[] = [];
  // Existing files have a `name` as a label. It holds nothing that we would have to enforce.
  const others = members.filter(({ key, value }) => key !== 'path' && !(key === 'name' && isText(value)));
  for (const { at, key } of others)
    report.fault(at, () => `a policy has only the key path, not ${quote(key)}`);
  for (const { at, key, labels, value } of members) {
    if (key !== 'path') continue;
    const [label, further] = labels;
    if (further) report.fault(further.at, () => 'a path block must have exactly one path');
    else if (label) found.push({ at: label.at, path: label.text, body: value });
    else if (value.kind !== 'object')
      report.fault(at, () => 'path must be an object of paths, or a block: path "…" { … }');
    else for (const rule of pathsIn(value.members, report)) found.push(rule);
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
  for (const { labels } of members)
    if (labels[0]) report.fault(labels[0].at, () => '{ or = is expected here');
  return members.map(({ at, key, value }) => ({ at, path: key, body: value }));
}

function isText(node: Node): boolean {
  return node.kind === 'scalar' && typeof node.value === 'string';
}

async function read(source: string): Promise<Member[]> {
  try {
    return await parseHcl(source);
  } catch (error) {
    if (error instanceof HclError) throw badRequest(`the policy cannot be read: ${error.message}`);
    throw error;
  }
}
