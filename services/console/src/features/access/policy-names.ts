import { useQuery } from '@tanstack/react-query';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { POLICIES, policiesQuery } from './queries.ts';

/** Makes the field of policies among some fields offer those that exist. Without the right to list them, names are typed. */
export function usePolicyFields(fields: FieldAnswer[], name = 'policies'): FieldAnswer[] {
  const { data: suggestions = [] } = useQuery({
    ...policiesQuery,
    enabled: useHasRights([POLICIES]),
    retry: false,
  });
  return fields.map((field) => (field.name === name ? { ...field, suggestions } : field));
}
