import { useQueryClient } from '@tanstack/react-query';
import type { AuthKindAnswer, FieldAnswer } from '../../../../../api/contract/forms.ts';
import { carryOut, IF_ABSENT } from '../../../api/client.ts';
import type { Problem } from '../../../api/failure.ts';
import type { Call } from '../../../api/curl.ts';
import { Notice } from '../../../kit/notice.tsx';
import { withToken } from '../../../kit/rights/with-token.tsx';
import { isSet } from '../../../schema-form/fields.ts';
import { ChangeDialog } from '../../../schema-form/meanwhile/change-dialog.tsx';
import type { Edits } from '../../../schema-form/schema-form.tsx';
import { usePolicyFields } from '../policy-names.tsx';
import { readRole, rolePath, roleQuery, rolesQuery, type AuthMethod } from './queries.ts';

const NAME: FieldAnswer = {
  name: 'name',
  title: 'Role',
  description: 'Letters, digits and _ . -',
  is_required: true,
};

const ROLE_NAME = /^\w(?:[\w.-]{0,126}\w)?$/;

/** Creates a role, or changes the stored one. */
export function WriteRole({
  method,
  kind,
  stored,
  close,
  written,
}: {
  method: AuthMethod;
  kind: AuthKindAnswer;
  stored?: { name: string; values: Record<string, unknown> };
  close: () => void;
  written: (name: string) => Promise<void>;
}) {
  const queries = useQueryClient();
  const fields = usePolicyFields(kind.role, 'token_policies');
  return (
    <ChangeDialog
      title={stored ? `Change ${stored.name}` : 'Create a role'}
      action={stored ? 'Save' : 'Create role'}
      needsToken
      fields={stored ? fields : [NAME, ...fields]}
      values={stored?.values ?? {}}
      reread={stored && (async () => ({ values: await readRole(method, stored.name) }))}
      close={close}
      callOf={(edits) => writeOf(method, edits, stored?.name)}
      below={(edits) => <AudienceAlone kind={kind} values={{ ...stored?.values, ...edits }} />}
      findFaults={(edits) => [
        ...(stored ? [] : faultsOfName(nameIn(edits))),
        ...(bindsNobody(kind, { ...stored?.values, ...edits })
          ? [{ field: 'bound_subject', detail: UNBOUND }]
          : []),
        ...(namesNoNamespace(kind, { ...stored?.values, ...edits })
          ? [{ field: NAMESPACES[0], detail: 'Enter a namespace, or a label selector.' }]
          : []),
      ]}
      carryOut={async (edits, token) => {
        const name = stored?.name ?? nameIn(edits);
        await withToken(writeOf(method, edits, stored?.name), token, carryOut);
        await queries.invalidateQueries(rolesQuery(method.path));
        await queries.invalidateQueries({ queryKey: roleQuery(method, name).queryKey });
        await written(name);
      }}
    />
  );
}

function faultsOfName(name: string): Problem[] {
  const detail = 'Use letters, digits and _ . - only, with a letter or digit at each end.';
  return name === '' || ROLE_NAME.test(name) ? [] : [{ field: 'name', detail }];
}

const BOUNDS = ['bound_subject', 'bound_claims'];
const AUDIENCES = 'bound_audiences';

const NAMESPACES = ['bound_service_account_namespaces', 'bound_service_account_namespace_selector'] as const;

const UNBOUND = 'Enter a subject or a claim. Otherwise everybody whom the issuer signs for could log in.';

/** Whether a role of `kind` takes every token of the issuer, from wherever `but` does not exclude it. */
export function bindsNobody(
  { type }: AuthKindAnswer,
  values: Record<string, unknown>,
  but = ['token_bound_cidrs'],
): boolean {
  return type === 'jwt' && ![AUDIENCES, ...BOUNDS, ...but].some((name) => isSet(values[name]));
}

/** Warns of a role that asks only for an audience, which whoever asks the issuer for a token mostly chooses. */
export function AudienceAlone({ kind, values }: { kind: AuthKindAnswer; values: Record<string, unknown> }) {
  const isAlone = isSet(values[AUDIENCES]) && bindsNobody(kind, { ...values, [AUDIENCES]: [] });
  if (!isAlone) return null;
  return (
    <Notice tone="limited">
      Only the audience is bound: anybody who gets a token for it from this issuer can log in. With issuers
      such as GitHub, the caller chooses the audience. Add a subject or a claim.
    </Notice>
  );
}

function namesNoNamespace({ type }: AuthKindAnswer, values: Record<string, unknown>): boolean {
  return type === 'kubernetes' && !NAMESPACES.some((name) => isSet(values[name]));
}

// An emptied field goes back to its default.
function writeOf(method: AuthMethod, { name, ...edits }: Edits, stored?: string): Call {
  const body = Object.fromEntries(
    Object.entries(edits).map(([field, value]) => [field, value ?? emptied(field)]),
  );
  const path = rolePath(method.path, stored ?? (nameIn({ name }) || '+'));
  return { method: 'POST', path, body, ...(stored === undefined ? { headers: IF_ABSENT } : {}) };
}

function emptied(field: string): unknown {
  return /(?:ttl|uses|leeway)$/.test(field) ? 0 : '';
}

function nameIn({ name }: Edits): string {
  return typeof name === 'string' ? name.trim() : '';
}
