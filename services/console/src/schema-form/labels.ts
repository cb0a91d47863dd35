import { useQuery } from '@tanstack/react-query';
import { schemasQuery } from '../api/queries.ts';
import { withLabels } from './fields.ts';

// What the API and the console call the same thing.
const WORDS = [
  [/\bexternal name (?!template)/g, 'name '],
  [/\banother association\b/g, 'another link'],
] as const;

/** What puts the console's words and labels in a text of the API about a destination of this type or alias. */
export function useLabels(type: string | undefined): (text: string) => string {
  const { data } = useQuery(schemasQuery);
  const schema = data?.destinations.find(
    (one) => type !== undefined && [one.type, ...one.aliases].includes(type),
  );
  return (text) => withLabels(inOwnWords(text), schema ? [...schema.options, ...schema.settings] : []);
}

function inOwnWords(text: string): string {
  return WORDS.reduce((said, [pattern, word]) => said.replace(pattern, word), text);
}
