import { Type, type Static, type TSchema } from 'typebox';
import { badRequest, notFound } from '../../../../libs/errors/request-error.ts';
import {
  etagOf,
  requireAbsent,
  requireMatch,
  type Stamp,
} from '../../../../libs/validation/preconditions.ts';
import { deletePolicy, findPolicy, writePolicy } from '../../../../libs/store/access/policies.ts';
import { parsePolicy } from '../../access/parse-policy.ts';
import { BUILT_IN_POLICIES, type PolicyDocument } from '../../access/policy.ts';
import { printerOf } from '../../audit/print.ts';
import { describePolicyChange } from './changes.ts';
import { namesOf, policyListEndpoint } from './list.ts';
import {
  endpoint,
  noContent,
  ok,
  type ApiRequest,
  type Endpoint,
  type Reply,
} from '../../routing/endpoint.ts';
import { olderPolicyAnswer, policyAnswer } from '../../contract/administration.ts';
import { closed, texts } from '../../contract/schema.ts';

const policyBody = Type.Object({
  policy: Type.Optional(
    Type.String({ description: 'The policy as text, in HCL or JSON. It may be encoded in base64.' }),
  ),
  rules: Type.Optional(Type.String({ description: 'Older name of `policy`.' })),
  path: Type.Optional(
    Type.Unknown({ description: 'The paths of the policy as an object; use it instead of `policy`.' }),
  ),
});

const OLDER_LIST = {
  path: '/sys/policy',
  access: 'policy',
  summary: 'List the policies of a namespace',
  answers: { 200: { data: closed({ keys: texts, policies: texts }) } },
  handle: listOlder,
} as const;

/** Policies: what tokens may do. The older path also answers with the older field names. */
export const policyEndpoints: Endpoint[] = [
  ...table('/sys/policies/acl', {
    list: [policyListEndpoint],
    read: policyAnswer,
    present: (name, source) => ok({ name, policy: source }),
  }),
  ...table('/sys/policy', {
    list: [endpoint({ ...OLDER_LIST, method: 'LIST' }), endpoint({ ...OLDER_LIST, method: 'GET' })],
    read: olderPolicyAnswer,
    present: (name, source) => ok({ name, rules: source }),
  }),
];

type Shown = { list: Endpoint[]; read: TSchema; present: (name: string, source: string) => Reply };

function table(path: string, { list, ...shown }: Shown): Endpoint[] {
  return [
    ...list,
    readEndpoint(`${path}/:name`, shown),
    writeEndpoint(`${path}/:name`),
    deleteEndpoint(`${path}/:name`),
  ];
}

function readEndpoint(path: string, { read, present }: Omit<Shown, 'list'>): Endpoint {
  return endpoint({
    method: 'GET',
    path,
    access: 'policy',
    summary: 'Read a policy',
    answers: { 200: { data: read } },
    handle: async ({ services, namespace, params }) => {
      const name = nameOf(params);
      const fixed = Object.hasOwn(BUILT_IN_POLICIES, name) ? BUILT_IN_POLICIES[name] : undefined;
      if (fixed) return present(name, JSON.stringify(fixed));
      const policy = await findPolicy(services.db, namespace.id, name);
      if (!policy) throw notFound();
      // Built-in policies have no revision: they never change.
      return { ...present(name, policy.source), headers: { ETag: etagOf(policy) } };
    },
  });
}

function writeEndpoint(path: string): Endpoint {
  return endpoint({
    method: 'POST',
    path,
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Write a policy',
    answers: { 204: {} },
    isConditional: true,
    takesIfNoneMatch: true,
    body: policyBody,
    exists: async ({ services, namespace, params }) => {
      const name = nameOf(params);
      return isBuiltIn(name) || (await findPolicy(services.db, namespace.id, name)) !== undefined;
    },
    asked: async (request) => {
      const source = sourceOf(request);
      const { document } = await parsePolicy(source);
      const print = printerOf(request.services, `policy ${nameOf(request.params)}`);
      return describePolicyChange(undefined, document, { source, print });
    },
    handle: async (request) => {
      const { services, namespace, params } = request;
      const name = nameOf(params);
      checkName(name);
      refuseBuiltIn(name);
      const source = sourceOf(request);
      const { document, warnings } = await parsePolicy(source);
      const author = request.caller.token.display_name;
      const former = await writePolicy(
        services.db,
        { namespace_id: namespace.id, name, document, source, author },
        guardOf(request, name),
      );
      const print = printerOf(services, `policy ${name}`);
      request.note(describePolicyChange(former as PolicyDocument | undefined, document, { source, print }));
      warnings.forEach(request.warn);
      return noContent();
    },
  });
}

function sourceOf({ body, rawBody }: ApiRequest<Static<typeof policyBody>>): string {
  const text = body.policy ?? body.rules;
  if (text !== undefined && body.path !== undefined) throw badRequest('send either policy or path, not both');
  const source = text === undefined && body.path !== undefined ? rawBody : decode(text ?? '');
  if (source.trim() === '')
    throw badRequest('the policy is missing: send {"policy": "path \\"…\\" { … }"} or {"path": {…}}');
  return source;
}

function deleteEndpoint(path: string): Endpoint {
  return endpoint({
    method: 'DELETE',
    path,
    access: 'policy',
    summary: 'Delete a policy',
    answers: { 204: {} },
    isConditional: true,
    handle: async (request) => {
      const { services, namespace, params } = request;
      const name = nameOf(params);
      refuseBuiltIn(name);
      const key = { namespace_id: namespace.id, name };
      const former = await deletePolicy(services.db, key, guardOf(request, name));
      const print = printerOf(services, `policy ${name}`);
      const description = describePolicyChange(former as PolicyDocument | undefined, undefined, { print });
      request.note({ change: former ? 'deleted' : 'none', ...description });
      return noContent();
    },
  });
}

function guardOf({ header }: ApiRequest, name: string) {
  return (present: Stamp | undefined): void => {
    requireMatch(header('if-match'), present, `the policy ${name}`);
    requireAbsent(header('if-none-match'), present, `the policy ${name}`);
  };
}

async function listOlder(request: ApiRequest) {
  const keys = await namesOf(request);
  return ok({ keys, policies: keys });
}

// Names are case-insensitive, here and where a token is made.
function nameOf(params: Record<string, string>): string {
  return (params['name'] ?? '').toLowerCase();
}

// Only writes check the name. No policy has an invalid name, so a read answers 404 and a delete has nothing to do.
function checkName(name: string): void {
  if (/^[\w.@-]{1,128}$/.test(name)) return;
  throw badRequest('the name of a policy must have 1 to 128 letters, digits and _ . @ -');
}

function isBuiltIn(name: string): boolean {
  return Object.hasOwn(BUILT_IN_POLICIES, name);
}

function refuseBuiltIn(name: string): void {
  if (isBuiltIn(name)) throw badRequest(`the policy ${name} is built in and cannot be changed`);
}

// No policy consists of these characters only, so no policy is taken for base64 by mistake.
function decode(text: string): string {
  const compact = text.trim();
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) return text;
  return Buffer.from(compact, 'base64').toString();
}
