/** Where one of the vendor's clouds signs callers in, and what its vaults' host names end in. */
export type Cloud = { authority: string; vaultSuffix: string };

const PUBLIC: Cloud = { authority: 'https://login.microsoftonline.com', vaultSuffix: 'vault.azure.net' };
const CHINA: Cloud = { authority: 'https://login.partner.microsoftonline.cn', vaultSuffix: 'vault.azure.cn' };
const US_GOVERNMENT: Cloud = {
  authority: 'https://login.microsoftonline.us',
  vaultSuffix: 'vault.usgovcloudapi.net',
};

// By their letters alone, in lower case: `Azure US Government` and `azure-us-government` are one.
const BY_ALIAS = new Map<string, Cloud>([
  ...aliases(PUBLIC, [
    'cloud',
    'azure',
    'public',
    'publiccloud',
    'azurecloud',
    'azurepublic',
    'azurepubliccloud',
  ]),
  ...aliases(CHINA, ['china', 'chinacloud', 'azurechina', 'azurechinacloud']),
  ...aliases(US_GOVERNMENT, ['usgov', 'usgovernment', 'usgovernmentcloud', 'azureusgov', 'azuregovernment']),
  ...aliases(US_GOVERNMENT, ['azureusgovernment', 'azureusgovernmentcloud', 'government', 'gov']),
]);

/** The cloud a person meant; absent means the public one, undefined is returned for a name nobody knows. */
export function findCloud(name = 'cloud'): Cloud | undefined {
  return BY_ALIAS.get(name.toLowerCase().replace(/[^a-z]/g, ''));
}

/** Whether a host is a vault's own name in the cloud: one label before the suffix, no port. */
export function isVaultHost(host: string, { vaultSuffix }: Cloud): boolean {
  const [label, ...suffix] = host.toLowerCase().split('.');
  return suffix.join('.') === vaultSuffix && /^[a-z][a-z0-9-]{1,126}$/.test(label ?? '');
}

function aliases(cloud: Cloud, names: string[]): [string, Cloud][] {
  return names.map((name) => [name, cloud]);
}
