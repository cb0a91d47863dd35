import { useQuery } from '@tanstack/react-query';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { destinationNamesQuery, namespacesQuery } from '../../api/queries.ts';

// Those of the channel, as far as it has them.
const NEEDED = ['addresses', 'url', 'secret'];

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
    return { ...field, ...(suggestions ? { suggestions } : {}), ...(isNeeded ? { is_required: true } : {}) };
  });
}

/** A rule as its form shows it: quiet hours are by the clock of the user, unless another one is stored. */
export function shownRule(rule: Edits): Edits {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return { ...rule, quiet_time_zone: rule['quiet_time_zone'] || timeZone };
}

/** What is sent of the edits of a rule that is shown so: a time zone goes with quiet hours, and without them there is none. */
export function sentRule(edits: Edits, shown: Edits): Edits {
  if (!Object.keys(edits).some((name) => name.startsWith('quiet_'))) return edits;
  const { quiet_from: from, quiet_to: to, quiet_days: days, quiet_time_zone: zone } = { ...shown, ...edits };
  const isAny = Boolean(from) || Boolean(to) || (Array.isArray(days) && days.length > 0);
  return { ...edits, quiet_time_zone: isAny ? (zone ?? '') : '' };
}
