import { type Static, Type } from 'typebox';
import type { Destination, OperatorSettings } from '../../../libs/connector/contract.ts';
import { checkUrl, isAllowed } from '../../../libs/egress/guard.ts';
import { findCloud, isVaultHost } from './clouds.ts';
import { identitySettings } from '../../../libs/connector/identity/identity.ts';
import { credential } from '../../../libs/connector/settings.ts';
import { OWNER_TAG } from '../../../libs/connector/owner.ts';
import { modes } from './modes.ts';
import { failures } from './failures.ts';

const settings = Type.Object({
  key_vault_uri: Type.String({
    address: true,
    minLength: 1,
    maxLength: 2048,
    title: 'Key vault URI',
    description: 'Address of an existing key vault, for example `https://example.vault.azure.net`.',
  }),
  client_id: Type.String({
    pattern: '^[!-~]{1,256}$',
    errorMessage:
      'must have 1 to 256 printable characters without spaces, such as 00000000-0000-0000-0000-000000000000',
    title: 'Client ID',
    description: 'Application (client) ID of an app registration or a managed identity.',
  }),
  client_secret: Type.Optional(
    credential(
      'Client secret',
      'Value (not the ID) of a client secret of the app registration. Default: identity tokens, if an audience is set, or else the worker’s own identity.',
    ),
  ),
  tenant_id: Type.String({
    address: true,
    // It becomes a part of the authority's path.
    pattern: '^[A-Za-z0-9][A-Za-z0-9.-]{0,253}$',
    errorMessage: 'must be an id or a domain, such as contoso.onmicrosoft.com',
    title: 'Tenant ID',
    description: 'Tenant (directory) of the vault: its ID or one of its domains.',
  }),
  cloud: Type.Optional(
    Type.String({
      address: true,
      rare: true,
      pattern: '^[A-Za-z](?:[A-Za-z _-]{0,62}[A-Za-z])?$',
      errorMessage:
        'must be the name of a cloud, such as AzurePublicCloud, AzureChinaCloud or AzureUSGovernment',
      title: 'Cloud',
      suggestions: ['AzurePublicCloud', 'AzureChinaCloud', 'AzureUSGovernment'],
      words: { cloud: 'AzurePublicCloud' },
      description:
        'The cloud of the vault (`AzurePublicCloud`, which is the default, `AzureChinaCloud` or `AzureUSGovernment`).',
    }),
  ),
  ...identitySettings,
  purge_on_delete: Type.Optional(
    Type.Boolean({
      rare: true,
      title: 'Purge on delete',
      description:
        'Also purges deleted secrets, so they can’t be recovered. Requires the purge permission and a vault without purge protection.',
    }),
  ),
});

export type Cloud2KvSettings = Static<typeof settings>;

function cloudFaults(given: Cloud2KvSettings): string[] {
  if (findCloud(given.cloud)) return [];
  return ['cloud must be AzurePublicCloud (or cloud), AzureChinaCloud or AzureUSGovernment'];
}

function addressFaults({ key_vault_uri: uri }: Cloud2KvSettings, operator: OperatorSettings): string[] {
  const fault = checkUrl(uri, operator);
  if (fault) return [`key_vault_uri: ${fault}`];
  const { pathname, search, hash } = new URL(uri);
  if (pathname === '/' && !search && !hash) return [];
  return ['key_vault_uri: the URL must not contain a path, a query or a fragment'];
}

function vaultFaults(given: Cloud2KvSettings, operator: OperatorSettings): string[] {
  const cloud = findCloud(given.cloud);
  if (!cloud || addressFaults(given, operator).length > 0) return [];
  const { host, hostname } = new URL(given.key_vault_uri);
  if (isAllowed(hostname, operator) || isVaultHost(host, cloud)) return [];
  return [
    `key_vault_uri: the host must be a vault in the chosen cloud (NAME.${cloud.vaultSuffix}); only the operator can allow others (EGRESS_ALLOW)`,
  ];
}

/** Azure Key Vault secrets as data; the figures are the vendor's documented limits. */
export const destination: Destination<typeof settings> = {
  type: 'cloud2-kv',
  aliases: ['azure-kv'],
  title: 'Azure Key Vault',
  settings,
  modes,
  settingRules: [cloudFaults, addressFaults, vaultFaults],
  container: (given) => `cloud2-kv:${new URL(given.key_vault_uri).host}`,
  fixedSettings: ['key_vault_uri', 'cloud'],
  // Not a default, which would be shown: infrastructure tools would replace the destination at each run.
  impliedSettings: () => ({ cloud: 'cloud' }),
  identity: { credential: 'client_secret', subjectType: 'azure-kv' },
  defaultGranularity: 'secret-path',
  names: { allowed: /[0-9A-Za-z-]/, replacement: '-', maxLength: 127, caseInsensitive: true },
  limits: { valueBytes: 25 * 1024 },
  tags: {
    max: 14,
    key: {
      expression: new RegExp(`^(?!${OWNER_TAG}$)[^\\s\\p{C}]{1,256}$`, 'iu'),
      mostUnits: 256,
      message: `a tag key has 1 to 256 characters, none of them white space, and is not ${OWNER_TAG}`,
    },
    value: {
      expression: /^\P{C}{0,256}$/u,
      mostUnits: 256,
      message: 'a tag value has at most 256 characters, none of them a control character',
    },
  },
  createIsExclusive: false,
  readable: true,
  rate: { writes: 300, perMs: 10_000 },
  address: {
    variable: 'SEALIFT_AZURE_AUTHORITY_HOST',
    usual: 'https://login.microsoftonline.com',
    setting: 'key_vault_uri',
  },
  causes: failures.causes,
};
