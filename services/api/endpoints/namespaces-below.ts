import { Type } from 'typebox';
import { filterInSlices } from '../../../libs/time/slices.ts';
import { listNamespacesBelow, type Namespace } from '../../../libs/store/access/namespaces.ts';
import type { ApiRequest } from '../routing/endpoint.ts';

/** The parameter of lists that may be about more than the namespace of the request. */
export const namespacesQuery = Type.Optional(
  Type.Enum(['here', 'below'], {
    description:
      '`below`: also those of every namespace below, as far as the caller may see them. Default: `here`, the namespace of the request alone.',
  }),
);

/** The namespace of a request and, if it asks for them, those below in which the caller may do something. */
export async function namespacesOf(
  { services, namespace }: Pick<ApiRequest, 'services' | 'namespace'>,
  wanted: 'here' | 'below' | undefined,
  isOpen: (below: Namespace) => boolean,
): Promise<Namespace[]> {
  if (wanted !== 'below') return [namespace];
  const below = await listNamespacesBelow(services.db, namespace);
  return [namespace, ...(await filterInSlices(below, isOpen))];
}
