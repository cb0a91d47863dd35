import type { Engine } from '../../engine.ts';
import type { PlanRequest } from '../../../commands/connector-commands.ts';
import type { RewrittenPlaces } from './look-up.ts';
import type { OpenStep } from './open-plan.ts';

const NO_PLACES: RewrittenPlaces = { removedFrom: [], addedTo: [] };

/** What becomes of the value of an entry that gets another name, and where; null: it is the same, and stays where it is. */
export function describeMoves({ waiting, places }: OpenStep, engine: Engine): string | null {
  const { removedFrom, addedTo } = places ?? NO_PLACES;
  const moves = [
    ...(addedTo.length > 0 ? [`added to ${namePlaces(addedTo, engine)}`] : []),
    ...(removedFrom.length > 0 ? [`removed from ${namePlaces(removedFrom, engine)}`] : []),
  ];
  if (moves.length === 0) return waiting ?? null;
  const moved = moves.join(', and ');
  return waiting ? `${waiting}, and it is ${moved}` : `its value is ${moved}`;
}

/** Why an entry is written again, where that moves it to other places. */
export function describeRewriting(step: OpenStep, request: PlanRequest, engine: Engine): string {
  const { removedFrom, addedTo } = step.places ?? NO_PLACES;
  const known = describeMoves(step, engine);
  if (known !== null && removedFrom.length + addedTo.length > 0) return known;
  const again = request.leavesDrift
    ? 'it is written again with these settings'
    : 'it is written again, because its settings have changed';
  return known === null ? again : `${known}, and ${again}`;
}

/** What becomes of our entry if it cannot be written. */
export function describeStay({ removedFrom }: RewrittenPlaces, engine: Engine): string {
  if (removedFrom.length === 0) return 'our value stays as it is';
  const isOne = removedFrom.length === 1;
  return `our value stays in ${namePlaces(removedFrom, engine)}, although ${isOne ? 'it is' : 'they are'} no longer selected`;
}

/** Places in a sentence: `the environments Preview and Production`. */
export function namePlaces(places: string[], { destination: { placeNoun } }: Engine): string {
  const names = places.join(' and ');
  return placeNoun ? `the ${placeNoun}${places.length === 1 ? '' : 's'} ${names}` : names;
}
