import { useQuery } from '@tanstack/react-query';
import { schemasQuery } from '../api/queries.ts';
import { withLabels } from './fields.ts';

/** What puts labels in place of names of fields in a text of the API about a destination of this type or alias. */
export function useLabels(type: string | undefined): (text: string) => string {
  const { data } = useQuery(schemasQuery);
  const schema = data?.destinations.find(
    (one) => type !== undefined && [one.type, ...one.aliases].includes(type),
  );
  return (text) => withLabels(text, schema ? [...schema.options, ...schema.settings] : []);
}
