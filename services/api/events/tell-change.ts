import type { ApiRequest } from '../routing/endpoint.ts';
import { createKvEvent, type KvChange } from './message.ts';

/** Tells the subscribers of all replicas of a change of the request's mount. Call it once the change is committed. */
export function tellChange(
  request: Pick<ApiRequest, 'services' | 'namespace' | 'mount'>,
  change: KvChange,
): void {
  const { services, namespace, mount } = request;
  if (!mount) return;
  const source = { namespace, mount: mount.mount, installation: services.installation.id };
  services.changes.tell(createKvEvent(source, change));
}
