import type { FieldAnswer, SettingsKindAnswer } from '../../../../api/contract/forms.ts';
import { labelOf } from '../../../../../libs/telling/label.ts';

/** The page of all that Sealift only stores, in the place of a kind of settings in an address. */
export const OTHERS = 'other-programs';

/** What people call a kind of settings. */
export function nameOfKind(kind: string): string {
  return kind === 'oidc' ? 'Signing keys' : labelOf(kind);
}

type Part = { title: string; names: string[]; isFolded?: 'always' };

// In the order in which a person sets it up.
const LAYOUTS: Record<string, Part[]> = {
  saml: [
    {
      title: 'What the identity provider gives you',
      names: ['sso-endpoint-url', 'slo-endpoint-url', 'idp-cert', 'old-idp-cert'],
    },
    {
      title: 'User attributes and teams',
      names: ['attr-username', 'attr-groups', 'split-group-values', 'attr-site-admin', 'site-admin-role'],
    },
    { title: 'Sign-in', names: ['enabled', 'sso-api-token-session-timeout', 'debug'] },
    {
      title: 'Signatures and encryption',
      isFolded: 'always',
      names: [
        'want-assertions-signed',
        'accept-sha1-signatures',
        'authn-requests-signed',
        'certificate',
        'private-key',
        'signature-signing-method',
        'signature-digest-method',
      ],
    },
  ],
};

// Where people write sentences, a field for one line is too small.
const SENTENCES = new Set(['login-help', 'footer', 'error', 'new-user']);
const MANY_LETTERS = 10_000;

const isLaidOut = (kind: string, name: string): boolean =>
  (LAYOUTS[kind] ?? []).some(({ names }) => names.includes(name));

/** The fields of a kind that its own page shows. */
export function usedFields({ kind, attributes }: SettingsKindAnswer): FieldAnswer[] {
  return attributes.filter(({ name, storedOnly }) => !storedOnly || isLaidOut(kind, name));
}

/** The others: Sealift does nothing with them. */
export function otherFields(definition: SettingsKindAnswer): FieldAnswer[] {
  const used = usedFields(definition);
  return definition.attributes.filter((field) => !used.includes(field));
}

/** The parts of a form of some fields. One that only the service sets is shown as soon as it is set. */
export function partsOf(
  kind: string,
  fields: FieldAnswer[],
  values: Record<string, unknown>,
): { title: string; fields: FieldAnswer[]; isFolded?: 'always' }[] {
  const shown = fields
    .filter(({ name, readOnly }) => !readOnly || Boolean(values[name]))
    .map((field) => (SENTENCES.has(field.name) ? { ...field, maxLength: MANY_LETTERS } : field));
  const parts = (LAYOUTS[kind] ?? []).map(({ names, ...part }) => ({
    ...part,
    fields: names.flatMap((name) => shown.filter((field) => field.name === name)),
  }));
  const rest = shown.filter(({ name }) => !isLaidOut(kind, name));
  return [...parts, { title: '', fields: rest }].filter((part) => part.fields.length > 0);
}
