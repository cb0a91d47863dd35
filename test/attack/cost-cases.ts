import { nastiest } from './nastiest.ts';
import type { DocumentedRow } from '../../services/api/openapi/rows.ts';
import { createAppKeys } from '../sandbox/github-secrets/key-pair.ts';
import { createCertificate } from '../settings/support/certificates.ts';
import { BEYOND_LIMITS, costliestAnswers, MALFORMED } from '../settings/support/hostile-xml.ts';

const LARGEST = 1_000_000;

const many = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));
const objectOf = (count: number, make: (index: number) => unknown): object =>
  Object.fromEntries(many(count, (index) => [`key-${index}`, make(index)]));
const json = (value: unknown): string => JSON.stringify(value);

// As many rules as a policy may have, of which as many as possible match one path.
const pluses = many(4096, (mask) => many(12, (bit) => ((mask >> bit) & 1 ? '+' : 'a')).join('/'));
const crossing = json({ path: Object.fromEntries(pluses.map((path) => [`${path}/*`, { policy: 'read' }])) });
const largest = many(
  5000,
  (index) => `path "secret/data/team-${index}/+/app-${index}/*" { policy = "read" }`,
).join('\n');
const manyPaths = many(200, (index) => `${'a/'.repeat(12)}${index}`);
const noted = `path "a" { comment = <<END\n${'x\n'.repeat(250_000)}END\n}`;
const written = [crossing, largest, noted].map((policy) => json({ policy }));
const listed = 'a,'.repeat(500_000);
const paths = [
  json({ paths: manyPaths }),
  json({ paths: listed }),
  json({ paths: `[${listed}]` }),
  json({ paths: many(200, () => 'a/'.repeat(500)) }),
];
// The last of the ranges has each of them.
const cidrs = many(500, (index) => `10.${index % 256}.${index >> 8}.0/24`);
const names = json({ policies: many(500, (index) => `${'a'.repeat(1500)}${index}`) });

const secretData = [
  json({ data: objectOf(9500, (index) => index) }),
  json({ data: objectOf(9500, (index) => `${index}.10000000000000000001`) }),
  `{"data":{${many(9500, (index) => `"n${index}":${index}.12345678901234567890`).join()}}}`,
  `{"data":{"n":${'9'.repeat(LARGEST)}}}`,
  json({ data: { text: '"\\\u00e9'.repeat(120_000) } }),
  json({ data: { list: many(9500, () => 1) } }),
  `{"data":${'{"a":'.repeat(60)}1${'}'.repeat(60)}}`,
  `{"data":{${'"a":1,'.repeat(9500)}"b":2}}`,
];
const secretPairs = secretData.map((text) => text.slice('{"data":'.length, -1));
const secrets = many(500, (index) => ({ mount: 'secret', secret_name: `many/${index}` }));

/** The certificate that the answers of the SAML case are signed with. */
export const identityProvider = await createCertificate('idp');

const samlAnswers = [
  ...BEYOND_LIMITS.map(([, , , xml]) => xml),
  ...MALFORMED.map(([, xml]) => xml),
  ...costliestAnswers(identityProvider).map(([, xml]) => xml),
]
  .map((xml) => new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64') }).toString())
  .concat(
    ['+', '%2B', '&', '&SAMLResponse'].map(
      (part) => `SAMLResponse=${part.repeat(Math.floor(LARGEST / part.length))}`,
    ),
  );

/** The largest and nastiest bodies of each route that takes one, beside those that follow from its schema. */
export const COST_CASES: Record<string, string[]> = {
  'POST /users/saml/auth': samlAnswers,
  'POST /sys/activation-flags/secrets-sync/activate': [],
  'POST /sys/init': [],
  'POST /sys/capabilities-self': paths,
  'POST /sys/capabilities-below': paths,
  'POST /sys/capabilities': paths,
  'POST /sys/capabilities-accessor': paths,
  'POST /sys/policies/preview': [crossing, largest].map((policy) => json({ policy, paths: manyPaths })),
  'POST /sys/auth/token/tune': [],
  'POST /sys/mounts/auth/token/tune': [],
  'POST /sys/auth/*path': [],
  'POST /sys/auth/*path/tune': [],
  'POST /sys/mounts/auth/*path/tune': [],
  'POST /~jwt/login': ['x', 'x.', '.x'].map((part) => json({ role: 'costly', jwt: part.repeat(16_000) })),
  'POST /~jwt/config': [
    json({ jwt_validation_pubkeys: many(20, () => `-----BEGIN PUBLIC KEY-----\n${'A'.repeat(40_000)}`) }),
  ],
  'POST /~jwt/role/:name': [
    json({
      user_claim: 'sub',
      bound_claims: objectOf(100, () => many(90, (index) => `*${'a*'.repeat(40)}${index}`)),
      bound_claims_type: 'glob',
      claim_mappings: objectOf(100, (index) => `name-${String(index)}`),
    }),
  ],
  'POST /~kubernetes/login': ['x', '.x'].map((part) => json({ role: 'costly', jwt: part.repeat(16_000) })),
  'POST /~kubernetes/config': [
    json({ pem_keys: many(20, () => `-----BEGIN PUBLIC KEY-----\n${'A'.repeat(40_000)}`) }),
    json({ pem_keys: ['x'], kubernetes_ca_cert: `-----BEGIN CERTIFICATE-----\n${'A'.repeat(60_000)}` }),
  ],
  'POST /~kubernetes/config/check': [
    json({ kubernetes_host: `https://${'a'.repeat(1900)}`, kubernetes_ca_cert: 'A'.repeat(60_000) }),
  ],
  'POST /~kubernetes/role/:name': [
    json({
      bound_service_account_names: many(500, (index) => `*${'a*'.repeat(100)}${index}`),
      bound_service_account_namespaces: many(500, (index) => `*${'a*'.repeat(100)}${index}`),
    }),
  ],
  'POST /~approle/login': [
    json({ role_id: 'costly', secret_id: 'x'.repeat(4096) }),
    json({ role_id: 'x'.repeat(LARGEST), secret_id: 'x' }),
  ],
  'POST /~approle/role/:name': [
    json({ secret_id_bound_cidrs: cidrs, token_bound_cidrs: cidrs, role_id: 'costly' }),
    json({ token_policies: many(500, (index) => `${'a'.repeat(1500)}${index}`) }),
  ],
  'POST /~approle/tidy/secret-id': [],
  'POST /~approle/role/:name/role-id': [],
  'POST /~approle/role/:name/secret-id': [json({ cidr_list: cidrs, token_bound_cidrs: cidrs })],
  'POST /~approle/role/:name/custom-secret-id': [
    json({ secret_id: 'costly', cidr_list: cidrs, metadata: objectOf(60, () => 'a'.repeat(500)) }),
  ],
  'POST /~approle/role/:name/secret-id/lookup': [],
  'POST /~approle/role/:name/secret-id/destroy': [],
  'POST /~approle/role/:name/secret-id-accessor/lookup': [],
  'POST /~approle/role/:name/secret-id-accessor/destroy': [],
  'POST /sys/audit/*path': [],
  'POST /sys/mounts/*path/tune': [],
  'POST /sys/mounts/*path': [],
  'POST /sys/remount': [],
  'POST /auth/token/create': [names],
  'POST /auth/token/create-orphan': [names],
  'POST /auth/token/create/:name': [names],
  'POST /auth/token/roles/:name': [
    json({ allowed_policies_glob: many(500, (index) => `*${'a*'.repeat(120)}${index}`) }),
    json({ token_bound_cidrs: many(500, (index) => `10.0.${index % 256}.0/24`) }),
  ],
  'POST /sys/teams/*path': [names],
  'POST /auth/token/lookup': [],
  'POST /auth/token/lookup-accessor': [],
  'POST /auth/token/renew-self': [json({ increment: '1h'.repeat(400_000) })],
  'POST /auth/token/renew': [],
  'POST /auth/token/renew-accessor': [],
  'POST /auth/token/revoke-self': [],
  'POST /auth/token/revoke': [],
  'POST /auth/token/revoke-accessor': [],
  'POST /auth/token/revoke-orphan': [],
  'POST /auth/token/tidy': [],
  'POST /auth/session': [],
  'POST /auth/session/saml': [],
  'POST /sys/wrapping/wrap': [
    json(objectOf(9500, (index) => `value-${index}`)),
    json({ text: 'x'.repeat(LARGEST) }),
  ],
  'POST /cubbyhole/*path': secretPairs,
  'POST /sys/wrapping/unwrap': [],
  'POST /sys/wrapping/lookup': [],
  'POST /sys/wrapping/rewrap': [],
  'POST /sys/policies/acl/:name': written,
  'POST /sys/policy/:name': written,
  'POST /sys/namespaces/*path': [],
  'PATCH /sys/namespaces/*path': [json({ custom_metadata: objectOf(9500, () => 'a') })],
  'POST /~kv2/config': [],
  'POST /~kv2/data/*path': secretData,
  'PATCH /~kv2/data/*path': secretData.slice(0, 3),
  'POST /~kv2/metadata/*path': [json({ custom_metadata: objectOf(9500, () => 'a') })],
  'PATCH /~kv2/metadata/*path': [json({ custom_metadata: objectOf(9500, () => 'a') })],
  'POST /~kv2/delete/*path': [json({ versions: many(9500, (index) => index) })],
  'POST /~kv2/undelete/*path': [json({ versions: many(9500, (index) => index) })],
  'POST /~kv2/destroy/*path': [json({ versions: many(9500, (index) => index) })],
  'POST /~kv2/rollback/*path': [],
  'POST /~kv1/*path': secretPairs,
  'POST /sys/reveal/*path': [],
  'POST /sys/alerts/:name': [
    json({ destinations: many(100, (index) => `*${'a*'.repeat(60)}${index}`) }),
    json({ addresses: many(9500, (index) => `${index}@a.example`) }),
  ],
  'POST /sys/alerts/:name/test': [
    json({ addresses: many(9500, (index) => `${index}@a.example`) }),
    json({ url: `https://${'a.'.repeat(400_000)}example` }),
  ],
  'PATCH /sys/sync/config': [],
  'POST /sys/sync/pause': [],
  'POST /sys/sync/resume': [],
  'POST /sys/sync/github-apps/:name': [
    json({ app_id: 1, private_key: createAppKeys(4096).privateKey }),
    json({ app_id: 1, private_key: `-----BEGIN RSA PRIVATE KEY-----\n${'A'.repeat(16_000)}` }),
    json({ app_id: 1, private_key: 'A', enterprise_url: `https://${'a.'.repeat(400_000)}example` }),
  ],
  'POST /sys/sync/destinations/:type/:name/pause': [],
  'POST /sys/sync/destinations/:type/:name/resume': [],
  'POST /sys/sync/destinations/:type/:name/check': [],
  'POST /sys/sync/destinations/:type/:name/associations/retry': [json({ secrets })],
  'POST /sys/sync/destinations/:type/:name/associations/remove': [],
  'POST /sys/sync/destinations/:type/:name/associations/verify': [],
  'POST /sys/sync/destinations/:type/:name/associations/withdraw': [],
  'POST /sys/sync/destinations/:type/:name/associations/set': [],
  'POST /sys/sync/destinations/:type/:name/associations/set-many': [json({ secrets })],
  'POST /sys/sync/destinations/:type/:name/associations/remove-many': [json({ secrets })],
  'POST /sys/sync/destinations/:type/:name/associations/plan': [json({ secrets: secrets.slice(0, 100) })],
  'POST /sys/sync/destinations/:type/:name/plan': [],
  'POST /sys/sync/destinations/:type/:name/preview': [
    json({
      secrets: secrets.slice(0, 50),
      secret_name_template: `{{ .SecretPath ${'| replace "a" "aaaaaaaa" '.repeat(20)}}}`,
    }),
  ],
  'POST /sys/sync/destinations/:type/:name': [
    json({
      custom_tags: objectOf(9500, () => 'a'),
      allowed_ipv4_addresses: many(15_000, () => '10.0.0.0/8'),
    }),
    json({ secret_name_template: '{{'.repeat(400_000) }),
  ],
  'PATCH /sys/sync/destinations/:type/:name': [
    json({ tags_to_remove: many(9500, (index) => `key-${index}`) }),
  ],
  'POST /identity/oidc/token': [],
  'PATCH /api/v2/admin/general-settings': [],
  'PATCH /api/v2/admin/cost-estimation-settings': [],
  'PATCH /api/v2/admin/saml-settings': [
    json({ data: { attributes: { 'idp-cert': `-----BEGIN CERTIFICATE-----\n${'A'.repeat(900_000)}` } } }),
  ],
  'PATCH /api/v2/admin/smtp-settings': [],
  'PATCH /api/v2/admin/sms-settings': [],
  'PATCH /api/v2/admin/twilio-settings': [],
  'PATCH /api/v2/admin/customization-settings': [],
  'POST /api/v2/admin/saml-settings/actions/check': [
    json({ data: { attributes: { 'idp-cert': `-----BEGIN CERTIFICATE-----\n${'A'.repeat(900_000)}` } } }),
  ],
  'POST /api/v2/admin/saml-settings/actions/revoke-old-certificate': [],
  'POST /api/v2/admin/saml-settings/actions/test-sign-in': [],
  'POST /api/v2/admin/sms-settings/verify': [],
  'POST /api/v2/admin/twilio-settings/verify': [],
  'POST /api/v2/admin/data-retention-policy-settings': [],
  'POST /api/v2/admin/policy-engine-versions': [],
  'PATCH /api/v2/admin/policy-engine-versions/:id': [],
  'POST /api/v2/admin/opa-versions': [],
  'PATCH /api/v2/admin/opa-versions/:id': [],
  'POST /api/v2/admin/sentinel-versions': [],
  'PATCH /api/v2/admin/sentinel-versions/:id': [],
  'PUT /api/v2/admin/policy-engine-versions/:id/usages/:kind/:usageId': [],
  'PUT /api/v2/admin/opa-versions/:id/usages/:kind/:usageId': [],
  'PUT /api/v2/admin/sentinel-versions/:id/usages/:kind/:usageId': [],
  'POST /api/v2/admin/oidc-settings/actions/rotate-key': [],
  'POST /api/v2/admin/oidc-settings/actions/trim-key': [],
};

/** Bodies for a route: its own cases, what its schema allows at most, and a body of many unknown parameters. */
export function bodiesOf(row: DocumentedRow): string[] {
  const schema = row.body ?? row.describedBody;
  const own = COST_CASES[caseOf(row)] ?? [];
  if (!schema) return own;
  return [
    ...own,
    json(nastiest(schema, { items: 9500, letters: 6 })).slice(0, LARGEST),
    json(nastiest(schema, { items: 2, letters: LARGEST / 4 })).slice(0, LARGEST),
    json(objectOf(1000, () => 1)),
    json(objectOf(9500, () => 1)),
  ];
}

/** The key of a route in the table of cases. */
export function caseOf({ method, path }: Pick<DocumentedRow, 'method' | 'path'>): string {
  return `${method} ${path.replace(/^(\/sys\/sync\/destinations\/)(?!:)[^/]+(\/:name)$/, '$1:type$2')}`;
}
