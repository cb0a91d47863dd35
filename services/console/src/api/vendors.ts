import { useQuery } from '@tanstack/react-query';
import { schemasQuery } from './queries.ts';

/** Finds the name of a type's vendor and product; empty while it is not known. */
export function useVendors(): (type: string) => string {
  const { data } = useQuery(schemasQuery);
  return (type) =>
    data?.destinations.find((one) => one.type === type || one.aliases.includes(type))?.title ?? '';
}
