import { expect } from 'chai';
import { compilePolicy } from '../../../services/api/access/match/compile-policy.ts';
import { capabilitiesInto, ruleOn } from '../../../services/api/access/match/find-rule.ts';
import type { PatternBranch } from '../../../services/api/access/match/rule-index.ts';
import { CAPABILITIES, type PolicyDocument } from '../../../services/api/access/policy.ts';
import { createRandom, type Random } from '../../attack/random.ts';
import { naiveCapabilitiesInto, naiveRuleOn } from './naive-rules.ts';

// Few names, so that patterns and paths meet often.
const NAMES = ['a', 'b', 'ab', 'abc', '+', '', '+x', '__proto__', 'a*'];

describe('rules compiled to a tree', () => {
  const random = createRandom(20_260_115);

  it('a tree of rules decides about every path as all rules tried one by one do', async () => {
    for (let count = 0; count < 4000; count += 1) {
      const policies = makePolicies(random);
      const compiled = await compileAll(policies);
      const aliases = Array.from({ length: 1 + random.below(3) }, () => makePath(random));
      const shown = JSON.stringify({ policies, aliases });
      expect(sorted(ruleOn(compiled, aliases)), shown).to.deep.equal(sorted(naiveRuleOn(policies, aliases)));
    }
  });

  it('a tree of rules gives below every folder what all rules tried one by one give', async () => {
    for (let count = 0; count < 4000; count += 1) {
      const policies = makePolicies(random);
      const folder = makePath(random);
      const given = capabilitiesInto(await compileAll(policies), folder);
      const expected = naiveCapabilitiesInto(policies, folder);
      expect([...given].toSorted(), JSON.stringify({ policies, folder })).to.deep.equal(
        [...expected].toSorted(),
      );
    }
  });
});

async function compileAll(policies: PolicyDocument[]): Promise<PatternBranch[]> {
  return Promise.all(policies.map(async (policy) => (await compilePolicy(policy)).rules));
}

function makePolicies(random: Random): PolicyDocument[] {
  return Array.from({ length: 1 + random.below(3) }, () => ({
    path: Object.fromEntries(
      Array.from({ length: 1 + random.below(6) }, () => [
        `${random.chance(0.1) ? '/' : ''}${makePath(random)}${random.chance(0.4) ? '*' : ''}`,
        {
          capabilities: Array.from({ length: random.below(3) }, () =>
            random.pick(random.chance(0.2) ? ['deny' as const] : CAPABILITIES),
          ),
          ...(random.chance(0.1) ? { min_wrapping_ttl: random.below(9) + 1 } : {}),
        },
      ]),
    ),
  }));
}

function makePath(random: Random): string {
  return Array.from({ length: 1 + random.below(4) }, () => random.pick(NAMES)).join('/');
}

// The order in which rules add up has no meaning.
function sorted(rule: ReturnType<typeof ruleOn>): unknown {
  return rule && { ...rule, capabilities: rule.capabilities.toSorted() };
}
