import type { Destination, Granularity } from '../../../../../libs/connector/contract.ts';
import { identityFaults } from '../../../../../libs/connector/identity/identity.ts';
import { externalName } from '../../../../../libs/connector/names.ts';
import type { TagRules } from '../../../../../libs/connector/rules.ts';
import { checkTemplate } from '../../../../../libs/connector/template.ts';
import type { DestinationOptions } from '../../../../../libs/store/destinations/destinations.ts';

/** A destination as the rules read it: its settings, and the options that have rules. */
export type Whole = Record<string, unknown> &
  Pick<DestinationOptions, 'granularity' | 'secret_name_template' | 'custom_tags'>;

type Surroundings = Parameters<typeof identityFaults>[2];

/** What the schema cannot express. Each rule reads of the document only what it is about. */
export function rulesFor(type: Destination, around: Surroundings): ((whole: Whole) => string[])[] {
  return [
    (whole) => templateFaults(type, whole.secret_name_template, whole.granularity),
    (whole) => tagFaults(type, whole.custom_tags),
    (whole) => identityFaults(type, whole, around),
    ...(type.settingRules ?? []).map((rule) => (whole: Whole) => rule(whole, around.operator)),
  ];
}

/** The faults that a rule finds; none if it reads a faulty field, because then it cannot say anything. */
export function applyUnlessFaulty(
  rule: (whole: Whole) => string[],
  whole: Whole,
  faulty: Set<string | undefined>,
): string[] {
  const reading = Symbol('reads a faulty field');
  const get = (target: Whole, name: string): unknown => {
    if (faulty.has(name)) throw reading;
    return target[name];
  };
  try {
    return rule(new Proxy(whole, { get }));
  } catch (error) {
    if (error === reading) return [];
    throw error;
  }
}

// A name made from harmless samples must be valid; otherwise no name would be.
function templateFaults(type: Destination, template: string, granularity: Granularity): string[] {
  const fault = checkTemplate(template, granularity);
  if (fault !== null) return [`secret_name_template: ${fault}`];
  const sample = externalName({
    type,
    destination: { name: 'sample', template },
    namespace: { id: 'sample', path: 'sample' },
    mount: { path: 'sample', accessor: 'sample' },
    secretPath: 'sample',
    subKey: granularity === 'secret-key' ? 'sample' : '',
  });
  return 'fault' in sample ? [`secret_name_template: ${sample.fault}`] : [];
}

function tagFaults(type: Destination, tags: Record<string, string>): string[] {
  const entries = Object.entries(tags);
  const rules = type.tags;
  if (!rules) return entries.length > 0 ? [`custom_tags: ${type.type} does not support tags`] : [];
  if (entries.length > rules.max) return [`custom_tags: ${type.type} accepts at most ${rules.max} tags`];
  const check = (rule: TagRules['key'], text: string): string[] =>
    rule.expression.test(text) && text.length <= (rule.mostUnits ?? Infinity)
      ? []
      : [`custom_tags: ${rule.message}`];
  return entries.flatMap(([key, value]) => [...check(rules.key, key), ...check(rules.value, value)]);
}
