import { asObject } from '../../../libs/connector/http/json.ts';
import type { ENVIRONMENTS } from './marks.ts';

/** A variable as Vercel has it. One key has several rows if its value differs by environment or branch. */
export type Row = {
  id: string;
  key: string;
  /** Includes the ids of custom environments. */
  environments: string[];
  customEnvironments: string[];
  /** A row for one branch of preview has priority over the others and takes no name from them. */
  gitBranch: string | null;
  comment: string;
  /** A sensitive row stays sensitive for ever. */
  isSensitive: boolean;
  /** Null if the answer does not hold the value in the clear. */
  value: string | null;
  createdAt: Date | null;
  changedAt: Date | null;
};

/** The fields that we write into a row. */
export type Variable = {
  key: string;
  value: string;
  type: 'encrypted' | 'sensitive';
  target: (typeof ENVIRONMENTS)[number][];
  comment: string;
};

/** Reads a row from an answer's JSON; undefined for anything that is no row. Looks only at the fields that we use. */
export function readRow(data: unknown): Row | undefined {
  const { id, key, type, target, customEnvironmentIds, gitBranch, comment, createdAt, updatedAt } =
    asObject(data);
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
    createdAt: typeof createdAt === 'number' ? new Date(createdAt) : null,
    changedAt: typeof updatedAt === 'number' ? new Date(updatedAt) : null,
  };
}

// Reads a list of texts, or one text alone.
function readTexts(data: unknown): string[] {
  return [data].flat().filter((item) => typeof item === 'string');
}

// In a list, encrypted values read as ciphertext. Only an answer that says `decrypted` holds the value.
function readValue({ type, value, decrypted }: Record<string, unknown>): string | null {
  if (typeof value !== 'string') return null;
  return type === 'plain' || (type === 'encrypted' && decrypted === true) ? value : null;
}
