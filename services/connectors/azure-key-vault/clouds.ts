/** One of the vendor's clouds: the address where callers sign in, and the end of its vaults' host names. */
export type Cloud = { authority: string; vaultSuffix: string };

const PUBLIC: Cloud = { authority: 'https://login.microsoftonline.com', vaultSuffix: 'vault.azure.net' };
const CHINA: Cloud = { authority: 'https://login.partner.microsoftonline.cn', vaultSuffix: 'vault.azure.cn' };
const US_GOVERNMENT: Cloud = {
  authority: 'https://login.microsoftonline.us',
  vaultSuffix: 'vault.usgovcloudapi.net',
};

// Names are compared by their letters only, in lower case: `Azure US Government` and `azure-us-government` are the same.
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

/** The cloud of that name. Without a name it is the public one; undefined for an unknown name. */
export function findCloud(name = 'cloud'): Cloud | undefined {
  return BY_ALIAS.get(name.toLowerCase().replace(/[^a-z]/g, ''));
}

/** Whether a host is a vault's own name in the cloud: one label before the suffix, and no port. */
export function isVaultHost(host: string, { vaultSuffix }: Cloud): boolean {
  const [label, ...suffix] = host.toLowerCase().split('.');
  return suffix.join('.') === vaultSuffix && /^[a-z][a-z0-9-]{1,126}$/.test(label ?? '');
}

function aliases(cloud: Cloud, names: string[]): [string, Cloud][] {
  return names.map((name) => [name, cloud]);
}
