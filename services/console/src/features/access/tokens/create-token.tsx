import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AuthAnswer } from '../../../../../api/contract/tokens.ts';
import type { FieldAnswer } from '../../../../../api/contract/forms.ts';
import { call, currentNamespace, namespaceFromHome, pathOf } from '../../../api/client.ts';
import { ApiFailure, refusalAt } from '../../../api/failure.ts';
import type { Call } from '../../../api/curl.ts';
import { rightFor } from '../../../api/right.ts';
import { CopyButton } from '../../../kit/copy/copy-button.tsx';
import { OnceDialog } from '../../../kit/copy/once-dialog.tsx';
import kit from '../../../kit/kit.module.css';
import { Notice } from '../../../kit/notice.tsx';
import { useHasRights } from '../../../kit/rights/allowed.ts';
import { SchemaDialog } from '../../../schema-form/schema-dialog.tsx';
import type { Edits } from '../../../schema-form/schema-form.tsx';
import { usePolicyFields } from '../policy-names.tsx';
import { readingPoliciesQuery, TOKEN_ROLES, tokenRolesQuery } from '../queries.ts';
import { useSession } from '../../../session/session.ts';
import { usePolicyDoubt } from './policy-doubt.ts';
import { tokenCommand } from './token-command.ts';

const FIELDS: FieldAnswer[] = [
  {
    name: 'display_name',
    title: 'Name',
    description:
      'Shown in lists and in the audit trail, such as ci-deploy. Anything but letters, digits and hyphens becomes a hyphen.',
  },
  {
    name: 'policies',
    type: 'array',
    description: 'What the token may do. A token role can give them instead.',
  },
  {
    name: 'role',
    title: 'Token role',
    rare: true,
    description: 'Its limits apply to the token. Empty: no role.',
  },
  { name: 'ttl', description: 'How long the token is valid, such as 30m or 768h.', default: '768h' },
  {
    name: 'num_uses',
    title: 'Maximum uses',
    rare: true,
    type: 'integer',
    description: 'How many requests the token is good for. 0: unlimited.',
    default: 0,
  },
  { name: 'renewable', type: 'boolean', default: true, rare: true },
  {
    name: 'no_parent',
    title: 'Orphan',
    rare: true,
    type: 'boolean',
    description: 'The token stays valid when the token of this session is revoked or expires.',
    default: false,
  },
];

export type MadeToken = {
  auth: AuthAnswer;
  warnings?: string[] | null;
};

/** Creates a token. `show` gets what can be shown only this once. */
export function CreateToken({ show, close }: { show: (made: MadeToken) => void; close: () => void }) {
  const queries = useQueryClient();
  const session = useSession();
  const isAtHome = namespaceFromHome() === '';
  const { data: roles = [] } = useQuery({
    ...tokenRolesQuery,
    enabled: useHasRights([TOKEN_ROLES]),
    retry: false,
  });
  const fields = usePolicyFields(FIELDS).map((field) =>
    field.name === 'role' ? { ...field, suggestions: roles } : field,
  );
  const known = fields.find(({ name }) => name === 'policies')?.suggestions ?? [];
  const doubt = usePolicyDoubt();
  const own = session.kind === 'present' && isAtHome ? session.session.policies : [];
  return (
    <SchemaDialog
      title="Create a token"
      action={(values) => (doubt.isTold(values) ? 'Create anyway' : 'Create')}
      fields={fields}
      close={close}
      callOf={(values) => creationOf(values, own)}
      findFaults={doubt.tell}
      below={(values) => <Reading values={values} known={known} />}
      children={
        <p className={kit.muted}>
          Here you can create tokens whose policies don’t allow reading secret values. For all others, use{' '}
          <code>sealift token create</code>.
        </p>
      }
      carryOut={async (values) => {
        refuseNone(values);
        const { method, path, ...options } = creationOf(values, own);
        const { data } = await call<MadeToken>(method, path, options).catch(explain);
        show(data);
        await queries.invalidateQueries({ queryKey: ['tokens'] });
      }}
    />
  );
}

// Says it before the API refuses the token.
function Reading({ values, known }: { values: Edits; known: string[] }) {
  const policies = Array.isArray(values['policies']) ? values['policies'].map(String) : [];
  // Not each beginning of a name that is being typed.
  const existing = policies.filter((name) => known.includes(name));
  const { data: reading = [] } = useQuery({
    ...readingPoliciesQuery(existing),
    enabled: existing.length > 0,
  });
  const names = reading.filter((name) => policies.includes(name));
  if (names.length === 0) return null;
  const command = tokenCommand(values, currentNamespace());
  return (
    <Notice tone="person">
      <p>
        {listed(names)} {names.length === 1 ? 'allows' : 'allow'} reading secret values, so this token can’t
        be created here.{' '}
        {command === null
          ? 'Use “Copy as curl” beside Create: sealift token create has no option for a token role or maximum uses.'
          : 'Use:'}
      </p>
      {command === null ? null : (
        <>
          <pre className={kit.code}>{command}</pre>
          <div>
            <CopyButton text={command} />
          </div>
        </>
      )}
    </Notice>
  );
}

function listed(names: string[]): string {
  return new Intl.ListFormat('en').format(names);
}

// Policies together may allow what none of them does alone: then only the API says it.
function explain(error: unknown): never {
  if (!(error instanceof ApiFailure) || !error.message.startsWith('a browser session makes no token'))
    throw error;
  throw refusalAt(
    'policies',
    'These policies allow reading secret values. Create this token by sealift token create, or choose others.',
  );
}

// The policies of whoever creates it, which the API would take, mostly allow more than the console may hand out.
function refuseNone({ policies, role }: Edits): void {
  const isGiven = (Array.isArray(policies) && policies.length > 0) || Boolean(role);
  if (!isGiven) throw refusalAt('policies', 'Choose at least one policy, such as default.');
}

// A token that may do more than its maker, or that stays longer, needs `sudo`.
function creationOf(values: Edits, own: string[]): Call {
  const { role, ...rest } = values;
  const path =
    typeof role === 'string' && role !== ''
      ? `auth/token/create/${pathOf(role.trim())}`
      : 'auth/token/create';
  const body = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  const { policies = [], no_parent: isFree = false } = body as { policies?: string[]; no_parent?: boolean };
  // A role says itself what its tokens may have.
  const isMore =
    path === 'auth/token/create' &&
    (isFree || policies.some((name) => name !== 'default' && !own.includes(name)));
  const right = rightFor('POST', path);
  return {
    method: 'POST',
    path,
    body,
    rights: isMore ? [right, { path: right.path, capability: 'sudo' }] : [right],
  };
}

/** Shows a new token, only this once: nobody can ask for it again. */
export function NewToken({ made: { auth, warnings }, close }: { made: MadeToken; close: () => void }) {
  return (
    <OnceDialog noun="token" secret={auth.client_token} close={close}>
      {warnings?.map((warning) => (
        <Notice key={warning} tone="info">
          {warning}
        </Notice>
      ))}
      <p className={kit.muted}>
        Accessor (to revoke it): <code>{auth.accessor}</code>
      </p>
    </OnceDialog>
  );
}
