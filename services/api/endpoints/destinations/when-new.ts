import type { Destination } from '../../../../libs/connector/contract.ts';
import type { DestinationRow } from '../../../../libs/store/destinations/destinations.ts';

/**
 * The settings of a stored destination that were chosen for it when it was new. A call that replaces it keeps them unless
 * it gives them.
 */
export function chosenWhenNew(type: Destination, { settings }: DestinationRow): Record<string, unknown> {
  const names = Object.keys(type.whenNew?.(settings).settings ?? {});
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(settings, name) ? [[name, settings[name]]] : [])),
  );
}

/** The settings of a new destination, with those that its type chooses if the call leaves them out. */
export function asNew(
  type: Destination,
  given: Record<string, unknown>,
): { settings: Record<string, unknown>; warnings: string[] } {
  const chosen = type.whenNew?.(given) ?? { settings: {}, warnings: [] };
  const isAsked = Object.keys(chosen.settings).some((name) => Object.hasOwn(given, name));
  return { settings: Object.assign(chosen.settings, given), warnings: isAsked ? [] : chosen.warnings };
}
