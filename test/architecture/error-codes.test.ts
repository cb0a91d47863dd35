import { expect } from 'chai';
import { ERROR_CODES } from '../../libs/errors/codes.ts';
import { readSources } from './sources.ts';

describe('the codes of refusals', () => {
  const product = readSources().filter(
    ({ path }) => /^(?:libs|services)\//.test(path) && path !== 'libs/errors/codes.ts',
  );

  it('each code is given somewhere, so the page tells of no other', () => {
    const unused = Object.keys(ERROR_CODES).filter(
      (code) => !product.some(({ code: text }) => text.includes(`'${code}'`)),
    );
    expect(unused).to.deep.equal([]);
  });

  it('a code never comes with a status of its own: the list has it', () => {
    const given = product.flatMap(({ path, code }) => (/new RequestError\(\s*\d/.test(code) ? [path] : []));
    expect(given).to.deep.equal([]);
  });
});
