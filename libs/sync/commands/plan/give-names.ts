import type { PlanRequest } from '../../../commands/connector-commands.ts';
import { nameKey } from '../../../connector/names.ts';
import type { Engine } from '../../engine.ts';
import { isKept } from './keep-former.ts';
import {
  findWishes,
  keyOfSecret,
  NO_WISHES,
  wishOf,
  type NameWishes,
  type WishingLink,
} from './name-wishes.ts';
import type { OpenPlan, OpenStep } from './open-plan.ts';

const GIVEN_UP = 'another link of this destination gives this name up first';

type Linked = WishingLink & { steps: OpenStep[] };
type Giving = { request: PlanRequest; engine: Engine };

/**
 * Leaves each name that several links of a destination want to the one that gets it: the link that was made first, as
 * pushes are claimed, and not one that has it already and gives it up.
 */
export async function giveNames(plans: OpenPlan[], { request, engine }: Giving): Promise<void> {
  const links = plans
    .flatMap(({ associationId: id, steps }, index): Linked[] => {
      const secret = request.secrets[index];
      return id > 0 && secret ? [{ id, mount: secret.mount.path, path: secret.path, steps }] : [];
    })
    .toSorted((left, right) => left.id - right.id);
  const open = links.flatMap((link) => link.steps.filter(isOpen).map((step) => ({ link, step })));
  if (open.length === 0) return;
  // Only a change of the destination gives several links other names at once.
  const wishes = request.leavesDrift ? await findWishes(request, engine) : NO_WISHES;
  const others = new Set(links.map(({ id }) => id));
  const first = new Map<string, WishingLink>();
  const give = ({ link, step }: (typeof open)[number]): boolean => {
    const key = nameKey(engine.destination.names, step.externalName);
    const before = wishes.byName.get(key)?.find(({ id }) => id < link.id && !others.has(id));
    const winner = first.get(key) ?? before ?? link;
    first.set(key, winner);
    if (winner !== link) Object.assign(step, { action: 'taken', reason: takenBy(winner), holder: null });
    return winner === link;
  };
  for (const one of open.filter(({ step }) => step.action !== 'taken')) give(one);
  const isFree = createGivenUp(links, wishes, { request, engine });
  const waiting = open.filter(({ step }) => step.holder !== null);
  // What gets a name may give up another one.
  for (let next = waiting.find(isFree); next; next = waiting.find(isFree)) {
    if (give(next)) Object.assign(next.step, { action: 'create', reason: GIVEN_UP, holder: null });
  }
}

function isOpen({ action, isNew, hasName, holder }: OpenStep): boolean {
  return (isNew && !hasName) || (action === 'taken' && holder !== null);
}

function takenBy({ mount, path }: WishingLink): string {
  return `the secret ${path} of mount ${mount}/ gets this name too, and only one can have it`;
}

// Whether the link that has the name of a step gives it up.
function createGivenUp(links: Linked[], wishes: NameWishes, { request, engine }: Giving) {
  const { destination, namespace } = request;
  const { type, names } = engine.destination;
  return ({ step: { holder, externalName } }: { step: OpenStep }): boolean => {
    if (holder?.namespace_id !== namespace.id) return false;
    if (holder.type !== type || holder.destination !== destination.name) return false;
    const key = nameKey(names, externalName);
    const link = links.find(({ mount, path }) => mount === holder.mount && path === holder.secret_path);
    if (link)
      return link.steps.some(
        (step) =>
          step.action === 'delete' && nameKey(names, step.externalName) === key && !isKept(step, link.steps),
      );
    const secret = keyOfSecret({ mount: holder.mount, path: holder.secret_path });
    return (
      destination.deletionPolicy === 'delete' &&
      wishes.secrets.has(secret) &&
      !wishes.wanted.has(wishOf(secret, key))
    );
  };
}
