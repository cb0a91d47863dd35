import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { parseDotenv, toDotenv } from '../../services/console/src/features/secrets/edit/dotenv.ts';

describe('a .env text', () => {
  it('a text that programs read in different ways is refused with its line and the reason', () => {
    const refused: [text: string, fault: RegExp][] = [
      ['A=1\nDB=postgres://h/db?x=1#frag', /^Line 2: put a value with # in single quotes/],
      ['A=b # c', /^Line 1: put a value with # in quotes, or the comment on its own line/],
      ['A=$HOME/x', /^Line 1: put a value with \$ in single quotes/],
      ['A="${HOME}/x"', /^Line 1: write \$ as \\\$ in double quotes/],
      ['A=C:\\dir', /^Line 1: put a value with \\ in single quotes/],
      ["A=it's", /^Line 1: put a value with ' in double quotes/],
      ['A=`x`', /^Line 1: put a value with ` in single quotes/],
      ['A=1\n\nA=2', /^Line 3: A is defined twice/],
      ['A', /^Line 1: expected NAME=value/],
      ['A=1 ', /^Line 1: the value ends with a blank/],
    ];
    for (const [text, fault] of refused) {
      const found = parseDotenv(text);
      expect('fault' in found ? found.fault : 'accepted', text).to.match(fault);
    }
  });

  it('a text that is accepted without escapes means the same to Node', () => {
    const text = '# comment\nA=b\nexport B=\'$x # y\'\nC="two words"\nURL=postgres://u:p@h/db?x=1\nEMPTY=\n';
    const found = parseDotenv(text);
    expect('values' in found && Object.fromEntries(found.values)).to.deep.equal({ ...parseEnv(text) });
  });

  it('a text that the console writes is read as the same values', () => {
    const values: [string, string][] = [
      ['A', 'plain'],
      ['B', "it's $5 # \\ `x`"],
      ['C', 'one\r\n"two"'],
      ['D', '$HOME'],
      ['E', ''],
    ];
    const found = parseDotenv(toDotenv(values));
    expect('values' in found && [...found.values]).to.deep.equal(values);
  });
});
