type Attribute = 'attr-username' | 'attr-groups';

/** A product for single sign-on. */
export type IdentityProvider = {
  name: string;
  /** The names of the attributes that it usually sends, by the setting of SAML for which they are. */
  attributes: Record<Attribute, string>;
  /** What to do at the provider so that it sends them. */
  advice: string;
  /** The vendor's own pages about them. */
  guides: Record<Attribute, string>;
};

/** The usual ones. Where people choose the names at the provider, they are our own defaults. */
export const IDENTITY_PROVIDERS: IdentityProvider[] = [
  {
    name: 'Microsoft Entra ID',
    attributes: {
      'attr-username': 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name',
      'attr-groups': 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
    },
    advice:
      'Under Attributes & Claims, add a group claim. Unless you choose another source attribute there, groups arrive as object IDs: use these as the names of teams. Of a person in more than 150 groups it sends none, so choose to send only the groups that are assigned to the application.',
    guides: {
      'attr-username': 'https://learn.microsoft.com/entra/identity-platform/reference-saml-tokens',
      'attr-groups':
        'https://learn.microsoft.com/entra/identity/hybrid/connect/how-to-connect-fed-group-claims',
    },
  },
  {
    name: 'Okta',
    attributes: { 'attr-username': 'Username', 'attr-groups': 'MemberOf' },
    advice:
      'It sends only what you define. Add an attribute statement Username with the value user.login, and a group attribute statement MemberOf with a filter for the groups.',
    guides: {
      'attr-username': 'https://help.okta.com/en-us/content/topics/apps/define-attribute-statements.htm',
      'attr-groups': 'https://help.okta.com/en-us/content/topics/apps/define-group-attribute-statements.htm',
    },
  },
  {
    name: 'Keycloak',
    attributes: { 'attr-username': 'username', 'attr-groups': 'member' },
    advice:
      'It sends only what you map. Add a mapper “User Property” with the property username and the SAML attribute name username, and a mapper “Group list”. Turn “Full group path” off there: otherwise the names of teams begin with a slash.',
    guides: {
      'attr-username': 'https://www.keycloak.org/docs/latest/server_admin/#_protocol-mappers',
      'attr-groups': 'https://www.keycloak.org/docs/latest/server_admin/#_protocol-mappers',
    },
  },
  {
    name: 'Google Workspace',
    attributes: { 'attr-username': 'Username', 'attr-groups': 'MemberOf' },
    advice:
      'It sends only what you map. Map “Primary email” to Username. Under “Group membership”, choose the groups, at most 75, and enter the app attribute MemberOf.',
    guides: {
      'attr-username': 'https://support.google.com/a/answer/6087519',
      'attr-groups': 'https://support.google.com/a/answer/11143403',
    },
  },
  {
    name: 'AD FS',
    attributes: {
      'attr-username': 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/upn',
      'attr-groups': 'http://schemas.xmlsoap.org/claims/Group',
    },
    advice:
      'Add a rule “Send LDAP Attributes as Claims” that sends User-Principal-Name as UPN, and “Token-Groups - Unqualified Names” as Group.',
    guides: {
      'attr-username':
        'https://learn.microsoft.com/windows-server/identity/ad-fs/operations/create-a-rule-to-send-ldap-attributes-as-claims',
      'attr-groups':
        'https://learn.microsoft.com/windows-server/identity/ad-fs/technical-reference/the-role-of-claims',
    },
  },
];
