import { useQuery } from '@tanstack/react-query';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import { destinationNamesQuery, namespacesQuery } from '../../api/queries.ts';

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
    namespaces: ['/', ...namespaces.flatMap((path) => [path, `${path}*`])],
  };
  return fields.map((field) => {
    const suggestions = known[field.name];
    return suggestions ? { ...field, suggestions } : field;
  });
}
