import { expect } from 'chai';
import { RequestError } from '../../libs/errors/request-error.ts';
import { parsePolicy } from '../../services/api/access/parse-policy.ts';
import { createRandom, type Random } from '../attack/random.ts';

const SEED = Number(process.env['ATTACK_SEED'] ?? 20);
const CAPABILITIES = ['create', 'read', 'update', 'patch', 'delete', 'list', 'sudo'];
const WORDS =
  'path capabilities policy name allowed_parameters min_wrapping_ttl true null = : { } [ ] , 5 -0';
const ODD_WORDS =
  '"path" "secret/*" "a/+/b" "*" "read" "deny" 0x1F 1e400 007 5m << " ${ \\ é 😀 /* */ "${x}" "\\q"';
const PIECES = [
  ...WORDS.split(' '),
  ...ODD_WORDS.split(' '),
  '"\\u00e9"',
  '"\\ud800"',
  '\ud83d',
  '\u0000',
  '\uFEFF',
  '# x\n',
  '// x\n',
  '/* x */',
  '\n',
  '\r\n',
  ' ',
  '\t',
  '<<A\nx\nA\n',
  '<<-A\n x\n A\n',
  '<<A\n',
];

describe('the reading of arbitrary policies', () => {
  const random = createRandom(SEED);

  it(`a text is taken, or refused with line and column and nothing else (seed ${SEED})`, async () => {
    for (let round = 0; round < 5000; round += 1) {
      const length = random.below(40);
      const text = Array.from({ length }, () => random.pick(PIECES)).join(random.pick(['', ' ', '\n']));
      await expectTakenOrRefused(text);
    }
  });

  it(`a policy with a few letters changed is taken or refused alike (seed ${SEED})`, async () => {
    for (let round = 0; round < 5000; round += 1) {
      const text = writeHcl(random, randomRules(random)).split('');
      for (let change = random.below(4); change >= 0; change -= 1) {
        text.splice(random.below(text.length + 1), random.below(3), random.pick(PIECES));
      }
      await expectTakenOrRefused(text.join(''));
    }
  });

  it(`a policy says the same in JSON and in HCL, however it is laid out (seed ${SEED})`, async () => {
    for (let round = 0; round < 3000; round += 1) {
      const rules = randomRules(random);
      const json = JSON.stringify({ path: rules }, undefined, random.below(3));
      expect(await meaningOf(json)).to.deep.equal({ path: rules });
      expect(await meaningOf(writeHcl(random, rules))).to.deep.equal({ path: rules });
    }
  });

  it('a text that is long or nests deep is read in a time that grows with its length alone', async () => {
    const long = 60_000;
    for (const text of [
      '/*'.repeat(long),
      '{'.repeat(long),
      '['.repeat(long),
      '"\\'.repeat(long),
      ' \n'.repeat(long),
      '#\n'.repeat(long),
      'a '.repeat(long),
      '<<A\n'.repeat(long),
      `path "${'a/'.repeat(long)}" {}`,
      `path "a" { capabilities = [${'"read",'.repeat(long)}] }`,
      `path "a" { capabilities = [${'"x",'.repeat(long)}] }`,
      'path "a" { capabilities = ["x"] }\n'.repeat(long / 20),
      'path "a" { policy = "read" allowed_parameters { a = ["b"] } required_parameters = ["a"] }'.repeat(
        long / 20,
      ),
      `{"path": {${Array.from({ length: long / 4 }, (_, index) => `"${index}": {"policy": "read"}`).join()}}}`,
    ]) {
      await expectTakenOrRefused(text);
    }
  });
});

async function meaningOf(text: string): Promise<unknown> {
  try {
    return (await parsePolicy(text)).document;
  } catch (error) {
    if (error instanceof RequestError) return { refused: text, because: error.problems };
    throw error;
  }
}

async function expectTakenOrRefused(text: string): Promise<void> {
  try {
    expect((await parsePolicy(text)).document).to.have.all.keys('path');
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    // The number of rules and the size of the text have no place.
    if (error.problems[0]?.detail.includes('are too many')) return;
    expect(error.status).to.equal(400);
    expect(error.problems.length).to.be.within(1, 20);
    for (const { detail } of error.problems) {
      const [, line, column] = /line (\d+), column (\d+): /.exec(detail) ?? [];
      const lines = text.split('\n');
      expect(Number(line), JSON.stringify(text)).to.be.within(1, lines.length);
      expect(Number(column), JSON.stringify(text)).to.be.within(
        1,
        (lines[Number(line) - 1] ?? '').length + 1,
      );
    }
  }
}

function randomRules(random: Random): Record<string, Record<string, unknown>> {
  const names = [
    'a',
    'secret/*',
    'x/+/y',
    'é "q"\\',
    '__proto__',
    'with /# no comment',
    'a/b #',
    'constructor',
  ];
  const count = random.below(5);
  return Object.fromEntries(
    Array.from({ length: count }, () => {
      const wanted = CAPABILITIES.filter(() => random.chance(0.4));
      const rule: Record<string, unknown> = { capabilities: wanted };
      if (random.chance(0.3)) rule['required_parameters'] = ['a', 'b'].slice(random.below(2));
      if (random.chance(0.3)) rule['allowed_parameters'] = { x: ['y*', 5, true, null], '*': [] };
      if (random.chance(0.3))
        rule['denied_parameters'] = { tty: [['a', 'b'], { c: 'line\nfeed 😀\n' }, -1.5e3] };
      if (random.chance(0.3)) rule['min_wrapping_ttl'] = 1 + random.below(60);
      if (random.chance(0.3)) rule['max_wrapping_ttl'] = 60 + random.below(60);
      return [random.pick(names), rule];
    }),
  );
}

// Writes the same rules in HCL, with blanks and comments wherever HCL allows them.
function writeHcl(random: Random, rules: Record<string, Record<string, unknown>>): string {
  const gap = (): string => random.pick([' ', '\n', '\t', ' # x "\n', ' // {\n', ' /* } " */ ', '\r\n']);
  const write = (value: unknown): string => {
    if (Array.isArray(value)) {
      const comma = random.chance(0.5) && value.length > 0 ? ',' : '';
      return `[${gap()}${value.map(write).join(`${gap()},${gap()}`)}${comma}${gap()}]`;
    }
    if (typeof value === 'object' && value !== null) return writeObject(Object.entries(value));
    if (typeof value === 'string' && value.endsWith('\n')) return `<<A\n${value}A\n`;
    return JSON.stringify(value);
  };
  const writeObject = (entries: [string, unknown][]): string =>
    `{${entries.map(([key, value]) => `${gap()}${writeKey(key)}${writeAssigned(value)}${random.pick([gap(), ','])}`).join('')}${gap()}}`;
  const writeKey = (key: string): string =>
    /^[a-z_]+$/.test(key) && random.chance(0.7) ? key : JSON.stringify(key);
  const writeAssigned = (value: unknown): string => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return `${gap()}${isObject && random.chance(0.5) ? '' : '='}${gap()}${write(value)}`;
  };
  if (random.chance(0.2)) return `path${gap()}=${gap()}${write(rules)}`;
  return Object.entries(rules)
    .map(([path, rule]) => `${gap()}path${gap()}${JSON.stringify(path)}${gap()}${write(rule)}${gap()}`)
    .join('\n');
}
