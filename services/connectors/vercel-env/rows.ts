import { asObject } from '../../../libs/connector/http/json.ts';
import type { ENVIRONMENTS } from './marks.ts';

/** A variable as the store has it; one key has several rows where its value differs by environment or branch. */
export type Row = {
  id: string;
  key: string;
  /** Also the ids of custom environments. */
  environments: string[];
  customEnvironments: string[];
  /** A row for one branch of preview goes before the others and takes no name from them. */
  gitBranch: string | null;
  comment: string;
  /** It stays so for good. */
  isSensitive: boolean;
  /** Null where the answer does not hold it in the clear. */
  value: string | null;
  changedAt: Date | null;
};

/** What is written into a row. */
export type Variable = {
  key: string;
  value: string;
  type: 'encrypted' | 'sensitive';
  target: (typeof ENVIRONMENTS)[number][];
  comment: string;
};

/** From an answer's JSON; undefined for anything that is no row. Only what is used is looked at. */
export function readRow(data: unknown): Row | undefined {
  const { id, key, type, target, customEnvironmentIds, gitBranch, comment, updatedAt } = asObject(data);
  if (typeof id !== 'string' || typeof key !== 'string') return undefined;
  const customEnvironments = readTexts(customEnvironmentIds);
  return {
    id,
    key,
    environments: [...readTexts(target), ...customEnvironments],
    customEnvironments,
    gitBranch: typeof gitBranch === 'string' && gitBranch !== '' ? gitBranch : null,
    comment: typeof comment === 'string' ? comment : '',
    isSensitive: type === 'sensitive',
    value: readValue(asObject(data)),
    changedAt: typeof updatedAt === 'number' ? new Date(updatedAt) : null,
  };
}

// A list of texts, or one text alone.
function readTexts(data: unknown): string[] {
  return [data].flat().filter((item) => typeof item === 'string');
}

// What is encrypted reads as ciphertext in a list; only an answer that says so holds the value.
function readValue({ type, value, decrypted }: Record<string, unknown>): string | null {
  if (typeof value !== 'string') return null;
  return type === 'plain' || (type === 'encrypted' && decrypted === true) ? value : null;
}
