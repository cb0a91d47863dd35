import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import kit from '../../kit/kit.module.css';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { POLICIES, policiesQuery } from './queries.ts';

/** The names of the policies that exist. Undefined without the right to list them, and until they are known. */
export function usePolicies(): string[] | undefined {
  return useQuery({ ...policiesQuery, enabled: useHasRights([POLICIES]), retry: false }).data;
}

/** Makes the field of policies among some fields offer those that exist. Without the right to list them, names are typed. */
export function usePolicyFields(fields: FieldAnswer[], name = 'policies'): FieldAnswer[] {
  const policies = usePolicies();
  const offered = policies ? { suggestions: policies, suggestion_noun: 'policy' } : { suggestions: [] };
  return fields.map((field) => (field.name === name ? { ...field, ...offered } : field));
}

/** The policies that something gives or has. One that does not exist is no link: its page would create it. */
export function PolicyNames({ names, missing = [] }: { names: string[]; missing?: string[] }) {
  const known = usePolicies();
  const isKnown = (name: string) => known === undefined || known.includes(name) || name === 'root';
  return names.map((name, index) => (
    <span key={name}>
      {index > 0 ? ', ' : ''}
      {isKnown(name) && !missing.includes(name) ? (
        <Link to="/access/policies/$name" params={{ name }}>
          {name}
        </Link>
      ) : (
        <span className={kit.muted}>{name} (does not exist)</span>
      )}
    </span>
  ));
}
