import { useState } from 'react';
import type { Problem } from '../../../api/failure.ts';
import { sayAbsent } from '../../../kit/picker/options.ts';
import type { Edits } from '../../../schema-form/schema-form.tsx';
import { usePolicies } from '../policy-names.tsx';

/**
 * Tells once of policies that do not exist, as far as the user may know them: a policy may be written after its token.
 * `isTold`: the token that is typed goes on although its policies do not exist.
 */
export function usePolicyDoubt() {
  const existing = usePolicies();
  const [doubts, setDoubts] = useState<string[]>([]);
  const absent = ({ policies }: Edits): string[] =>
    namesIn(policies).filter((name) => existing && name !== 'root' && !existing.includes(name));
  const isTold = (values: Edits): boolean => {
    const names = absent(values);
    return names.length > 0 && names.every((name) => doubts.includes(name));
  };
  const tell = (values: Edits): Problem[] => {
    const names = absent(values);
    if (names.length === 0 || isTold(values)) return [];
    setDoubts(names);
    return [{ field: 'policies', detail: absenceOf(names) }];
  };
  return { isTold, tell };
}

function namesIn(policies: unknown): string[] {
  return Array.isArray(policies) ? policies.map(String) : [];
}

function absenceOf(names: string[]): string {
  const [give, exist] = names.length === 1 ? ['It gives', 'it exists'] : ['They give', 'they exist'];
  return `${sayAbsent('policy', names)} ${give} the token nothing until ${exist}.`;
}
