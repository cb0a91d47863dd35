import type { Mutation } from './mutation.ts';

/** Mutations of what policies and tokens allow. */
export const accessMutations: Mutation[] = [
  {
    name: 'rules about parameters are not asked',
    file: 'services/api/routing/mount-endpoints.ts',
    find: 'if (grant && limitsParameters(grant)) checkParameters(grant, dialect, request, ctx);',
    replace:
      'if (grant && limitsParameters(grant) && row.path === "") checkParameters(grant, dialect, request, ctx);',
    tests: ['api/policy-parameters.test.js'],
  },
  {
    name: 'limits of the wrapping time are not asked',
    file: 'services/api/routing/mount-endpoints.ts',
    find: 'if (grant && !allowsWrapping(grant, request.wrapSeconds)) throw dialect.denied(true);',
    replace: 'if (grant) allowsWrapping(grant, request.wrapSeconds);',
    tests: ['api/policy-parameters.test.js'],
  },
  {
    name: 'only the body as it was understood is held against denied values',
    file: 'services/api/routing/mount-endpoints.ts',
    find: 'sent, request.body].flatMap((part) =>',
    replace: '...[sent].slice(1), request.body].flatMap((part) =>',
    tests: ['api/policy-parameters.test.js'],
  },
  {
    name: 'a key of a rule that is not enforced is passed over',
    file: 'services/api/access/parse-rule.ts',
    find: 'if (!KEYS.includes(key)) {',
    replace: 'if (!KEYS.includes(key) && of === "") {',
    tests: ['api/policies-hcl.test.js'],
  },
  {
    name: 'a template in a policy is taken for letters',
    file: 'services/api/access/hcl/scan-text.ts',
    find: "if (text.startsWith('${', offset)) {",
    replace: "if (text === '' && text.startsWith('${', offset)) {",
    tests: ['api/policies-hcl.test.js'],
  },
  {
    name: 'a use of a token is not counted',
    file: 'services/api/routing/mount-endpoints.ts',
    find: "if (row.access !== 'public') await countUse(services.db, dialect, ctx);",
    replace: "if (row.path === '') await countUse(services.db, dialect, ctx);",
    tests: ['api/token-limits.test.js'],
  },
  {
    name: 'a token is good from every address',
    file: 'services/api/middleware/authenticate.ts',
    find: 'if (caller && isWithinCidrs(ctx.ip, caller.token.bound_cidrs))',
    replace: 'if (caller && (caller.token.id > 0 || isWithinCidrs(ctx.ip, caller.token.bound_cidrs)))',
    tests: ['api/token-roles.test.js'],
  },
  {
    name: 'a token is rid of its bond by making another',
    file: 'services/api/endpoints/tokens/create.ts',
    find: '? role.token_bound_cidrs : caller.token.bound_cidrs,',
    replace: '? role.token_bound_cidrs : [],',
    tests: ['api/token-roles.test.js'],
  },
  {
    name: 'a role gives what it disallows',
    file: 'services/api/endpoints/tokens/policies-of.ts',
    find: 'if (refused !== undefined)',
    replace: "if (refused === '')",
    tests: ['api/token-roles.test.js'],
  },
];
