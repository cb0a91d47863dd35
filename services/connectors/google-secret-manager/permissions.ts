/** The permission that each call takes. */
export const PERMISSIONS = {
  CreateSecret: 'secretmanager.secrets.create',
  GetSecret: 'secretmanager.secrets.get',
  UpdateSecret: 'secretmanager.secrets.update',
  DeleteSecret: 'secretmanager.secrets.delete',
  AddSecretVersion: 'secretmanager.versions.add',
  AccessSecretVersion: 'secretmanager.versions.access',
  ListSecretVersions: 'secretmanager.versions.list',
  DestroySecretVersion: 'secretmanager.versions.destroy',
} as const;

/** A call of the API, by the name it has there. */
export type Operation = keyof typeof PERMISSIONS;
