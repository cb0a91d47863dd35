import { Type, type Static } from 'typebox';
import { unprocessable, type Problem } from '../../../../libs/errors/request-error.ts';
import type {
  Arch,
  PolicyEngineVersionAttributes,
} from '../../../../libs/store/policy-engine-versions/policy-engine-versions.ts';
import { mainArch } from '../../presenters/policy-engine-version.ts';

const LARGEST_NUMBER = 2n ** 63n - 1n;
const MOST_BUILDS = 20;

const url = Type.String({
  // Every reader of the version sees the URL, so it must hold no user name and password.
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\\\\]+(?:[/?#]|$)',
  format: 'uri',
  maxLength: 2048,
  errorMessage:
    'must be an http or https URL of at most 2048 characters without a user name and password, such as https://releases.example.com/opa_1.2.3',
  description: 'URL of the binary, http or https.',
});
const sha = Type.String({
  pattern: '^[0-9A-Fa-f]{64}$',
  errorMessage: 'must be a SHA-256 in hexadecimal, 64 digits, such as sha256sum prints it',
  description: 'SHA-256 of the binary in hexadecimal.',
});

const archSchema = Type.Object({
  url,
  sha,
  os: Type.Optional(Type.String({ enum: ['linux'], description: 'Operating system. Default `linux`.' })),
  arch: Type.Optional(
    Type.String({ enum: ['amd64', 'arm64', 's390x'], description: 'Architecture. Default `amd64`.' }),
  ),
});

const properties = {
  version: Type.String({
    pattern: '^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z][0-9A-Za-z.+_-]*)?$',
    maxLength: 255,
    errorMessage: 'must be a version of at most 255 characters, such as 1.2.3 or 1.2.3-bundle',
    description: 'Number of the version: N.N.N or N.N.N-bundleName; each number at most 2^63 - 1.',
  }),
  url: Type.Optional(url),
  sha: Type.Optional(sha),
  archs: Type.Optional(
    Type.Array(archSchema, {
      maxItems: MOST_BUILDS,
      description: 'The builds, one for each operating system and architecture.',
    }),
  ),
  deprecated: Type.Optional(Type.Boolean({ description: 'Whether the version is deprecated.' })),
  'deprecated-reason': Type.Optional(
    // Postgres stores neither null characters nor halves of surrogate pairs.
    Type.Union(
      [
        Type.String({
          pattern: '^[^\\u0000\\p{Cs}]*$',
          maxLength: 4096,
          errorMessage:
            'must be null, or a text of at most 4096 characters without null characters or halves of surrogate pairs, such as "use 1.3"',
        }),
        Type.Null(),
      ],
      {
        description: 'Why the version is deprecated. Null unless `deprecated` is true.',
      },
    ),
  ),
  official: Type.Optional(
    Type.Boolean({ description: 'Whether this is an official release. It cannot be deleted.' }),
  ),
  enabled: Type.Optional(Type.Boolean({ description: 'Whether the version may be used. Default true.' })),
  beta: Type.Optional(Type.Boolean({ description: 'Whether this is a pre-release.' })),
};

/** Attributes of a new version: its url and sha are required unless `archs` names its builds. */
export const newPolicyEngineVersionSchema = Type.Object(properties, {
  if: { required: ['archs'], properties: { archs: { minItems: 1 } } },
  else: { required: ['url', 'sha'], properties: { url: true, sha: true } },
});

// A version without a build for linux/amd64 reads null here, and a client may send back what it has read.
const unchanged = (schema: Type.TString) => Type.Optional(Type.Union([schema, Type.Null()]));

/** Attributes of a change. Absent attributes keep their values, and so do url and sha if they are null. */
export const policyEngineVersionChangeSchema = Type.Object({
  ...properties,
  version: Type.Optional(properties.version),
  url: unchanged(url),
  sha: unchanged(sha),
  archs: Type.Optional(Type.Array(archSchema, { minItems: 1, maxItems: MOST_BUILDS })),
});

type Given = Static<typeof policyEngineVersionChangeSchema>;

const NEW: PolicyEngineVersionAttributes = {
  version: '',
  archs: [],
  deprecated: false,
  deprecatedReason: null,
  official: false,
  enabled: true,
  beta: false,
};

/** Merges the attributes of a request into the present ones. Throws 422 with every fault between attributes. */
export function mergePolicyEngineVersion(
  given: Given,
  present: PolicyEngineVersionAttributes = NEW,
): PolicyEngineVersionAttributes {
  const problems: Problem[] = [];
  const refuse = (attribute: string, detail: string) =>
    problems.push({ title: 'invalid attribute', detail, pointer: `/data/attributes/${attribute}` });
  const version = given.version ?? present.version;
  if (!numbersFit(version)) refuse('version', `version has a number larger than ${LARGEST_NUMBER}`);
  const archs = mergeArchs(given, present.archs, refuse);
  if (problems.length > 0) throw unprocessable(...problems);
  const deprecated = given.deprecated ?? present.deprecated;
  const reason =
    given['deprecated-reason'] === undefined ? present.deprecatedReason : given['deprecated-reason'];
  return {
    version,
    archs,
    deprecated,
    deprecatedReason: deprecated ? reason || null : null,
    official: given.official ?? present.official,
    enabled: given.enabled ?? present.enabled,
    beta: given.beta ?? present.beta,
  };
}

type Refuse = (attribute: string, detail: string) => void;

function mergeArchs(given: Given, present: Arch[], refuse: Refuse): Arch[] {
  const replaced = given.archs && given.archs.length > 0;
  if (!replaced) return mergeMain(given, present, refuse);
  const archs = (given.archs ?? []).map((arch) => ({ os: 'linux', arch: 'amd64', ...arch }));
  const names = archs.map(({ os, arch }) => `${os}/${arch}`);
  names.forEach((name, index) => {
    if (names.indexOf(name) !== index) refuse(`archs/${index}/arch`, `${name} occurs twice`);
  });
  const main = mainArch(archs);
  if (typeof given.url === 'string' && given.url !== main?.url) {
    refuse('url', 'url must be the url of the linux/amd64 entry in archs');
  }
  if (typeof given.sha === 'string' && given.sha.toLowerCase() !== main?.sha.toLowerCase()) {
    refuse('sha', 'sha must be the sha of the linux/amd64 entry in archs');
  }
  return archs.map(({ url: from, sha: sum, os, arch }) => ({ url: from, sha: sum, os, arch }));
}

function mergeMain(given: Given, present: Arch[], refuse: Refuse): Arch[] {
  if (!given.url && !given.sha) return present;
  const main = mainArch(present);
  const merged = {
    url: given.url ?? main?.url ?? '',
    sha: given.sha ?? main?.sha ?? '',
    os: 'linux',
    arch: 'amd64',
  };
  if (merged.url === '') refuse('url', 'url is required');
  if (merged.sha === '') refuse('sha', 'sha is required');
  return main ? present.map((entry) => (entry === main ? merged : entry)) : [...present, merged];
}

function numbersFit(version: string): boolean {
  const numbers = version.split('-')[0]?.split('.') ?? [];
  return numbers.every((number) => BigInt(number) <= LARGEST_NUMBER);
}
