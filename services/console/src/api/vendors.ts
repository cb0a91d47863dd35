import { useQuery } from '@tanstack/react-query';
import { schemasQuery } from './queries.ts';

/** Names a destination as people do: its name, and what it is of, such as "prod (AWS Secrets Manager)". */
export function useDestinationName(): (type: string, name: string) => string {
  const vendorOf = useVendors();
  return (type, name) => {
    const vendor = vendorOf(type);
    return vendor === '' ? name : `${name} (${vendor})`;
  };
}

/** The same for what is kept as `type/name`. */
export function useStoreName(): (store: string) => string {
  const nameOf = useDestinationName();
  return (store) => {
    const [type = '', name = ''] = store.split('/');
    return nameOf(type, name);
  };
}

/** The types of stores, each with its vendor and product, by these. */
export function useStoreTypes(): [type: string, title: string][] {
  const { data } = useQuery(schemasQuery);
  return (data?.destinations ?? [])
    .map(({ type, title }): [string, string] => [type, title])
    .toSorted(([, one], [, other]) => one.localeCompare(other, 'en'));
}

/** Finds the name of a type's vendor and product; empty while it is not known. */
export function useVendors(): (type: string) => string {
  const { data } = useQuery(schemasQuery);
  return (type) =>
    data?.destinations.find((one) => one.type === type || one.aliases.includes(type))?.title ?? '';
}
