import { useQuery } from '@tanstack/react-query';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { destinationNamesQuery, namespacesQuery } from '../../api/queries.ts';

// Those of the channel, as far as it has them.
const NEEDED = ['addresses', 'url', 'secret'];

// A form shows everything as chosen where the API has nothing.
const IN_FORM: Record<string, Partial<FieldAnswer>> = {
  happenings: {
    description:
      'All but the first are about the whole installation; only rules of the root namespace get them.',
    is_required: true,
  },
  causes: { unset: 'All except rate limits' },
};

/**
 * The fields of a rule, with the destinations and namespaces that can be chosen, as far as the user may list them. Patterns
 * for all of a type and for all below a namespace are among them; others are typed.
 */
export function useAlertFields(fields: FieldAnswer[]): FieldAnswer[] {
  const { data: destinations = [] } = useQuery({ ...destinationNamesQuery, retry: false });
  const { data: namespaces = [] } = useQuery({ ...namespacesQuery(''), retry: false });
  const types = new Set(destinations.map(({ type }) => `${type}/*`));
  const known: Record<string, string[]> = {
    destinations: [...types, ...destinations.map(({ type, name }) => `${type}/${name}`)],
    addresses: [],
    quiet_time_zone: Intl.supportedValuesOf('timeZone'),
    namespaces: ['/', ...namespaces.flatMap((path) => [path, `${path}*`])],
  };
  // A button mutes a rule.
  const typed = fields.filter(({ name }) => name !== 'muted_until');
  return typed.map((field) => {
    const suggestions = known[field.name];
    const isNeeded = NEEDED.includes(field.name);
    return {
      ...field,
      ...(suggestions ? { suggestions } : {}),
      ...(isNeeded ? { is_required: true } : {}),
      ...IN_FORM[field.name],
    };
  });
}

/**
 * A rule as its form shows it: quiet hours are by the clock of the user, unless another one is stored, and a rule that names
 * no events has all of them.
 */
export function shownRule(rule: Edits, fields: FieldAnswer[]): Edits {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const named = rule['happenings'];
  const happenings = Array.isArray(named) && named.length > 0 ? named : eventsOf(fields);
  return { ...rule, happenings, quiet_time_zone: rule['quiet_time_zone'] || timeZone };
}

function eventsOf(fields: FieldAnswer[]): string[] {
  return Object.keys(fields.find(({ name }) => name === 'happenings')?.words ?? {});
}

/**
 * What is sent of the edits of a rule that is shown so: a time zone goes with quiet hours, and without them there is none.
 * All events are sent as none, so that those of a later version are among them.
 */
export function sentRule(typed: Edits, shown: Edits, fields: FieldAnswer[]): Edits {
  const { happenings } = typed;
  const isAll = Array.isArray(happenings) && happenings.length === eventsOf(fields).length;
  const edits = isAll ? { ...typed, happenings: [] } : typed;
  if (!Object.keys(edits).some((name) => name.startsWith('quiet_'))) return edits;
  const { quiet_from: from, quiet_to: to, quiet_days: days, quiet_time_zone: zone } = { ...shown, ...edits };
  const isAny = Boolean(from) || Boolean(to) || (Array.isArray(days) && days.length > 0);
  return { ...edits, quiet_time_zone: isAny ? (zone ?? '') : '' };
}
