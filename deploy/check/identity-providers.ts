import { IDENTITY_PROVIDERS } from '../../libs/telling/identity-providers.ts';

/** The part of docs/single-sign-on.md about the usual names of attributes. */
export function describeIdentityProviders(): string {
  const rows = IDENTITY_PROVIDERS.map(({ name, attributes, advice, guides }) => {
    const names = (['attr-username', 'attr-groups'] as const).map(
      (field) => `[\`${attributes[field]}\`](${guides[field]})`,
    );
    return `| ${[name, ...names, advice].join(' | ')} |`;
  });
  return [
    '\n| provider | `attr-username` | `attr-groups` | what to do there |',
    '| --- | --- | --- | --- |',
    ...rows,
    '\n',
  ].join('\n');
}
