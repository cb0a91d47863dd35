// A body can have thousands of them, and a warning is for a person.
const MOST_NAMED = 100;

/** The warning about parameters that an endpoint does not know, in the words that clients look for. */
export function unknownParameters(names: string[]): string {
  const more = names.length > MOST_NAMED ? ' …' : '';
  const named = names.toSorted().slice(0, MOST_NAMED).join(' ');
  return `Endpoint ignored these unrecognized parameters: [${named}${more}]`;
}
