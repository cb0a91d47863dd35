import { quote } from '../../../api/curl.ts';
import type { Edits } from '../../../schema-form/schema-form.tsx';

/** The command that creates the same token in a shell; null if the command line lacks an option for what is typed. */
export function tokenCommand(values: Edits, namespace: string): string | null {
  const { policies, display_name: name, ttl, renewable, no_parent: isOrphan, role, num_uses: uses } = values;
  if (role || Number(uses ?? 0) !== 0) return null;
  const options = [
    ...(Array.isArray(policies) ? policies : []).map((policy) => ['--policy', policy]),
    ttl ? ['--ttl', ttl] : [],
    name ? ['--name', name] : [],
    isOrphan === true ? ['--orphan'] : [],
    renewable === false ? ['--no-renewable'] : [],
    namespace ? ['--namespace', namespace] : [],
  ];
  return ['sealift token create', ...options.flat().map((word) => quoted(String(word)))].join(' ');
}

function quoted(word: string): string {
  return /^[\w.@-]+$/.test(word) ? word : quote(word);
}
