import { expect } from 'chai';
import type { FieldAnswer } from '../../services/api/contract/forms.ts';
import { ApiFailure } from '../../services/console/src/api/failure.ts';
import { capitalise } from '../../services/console/src/kit/text/capitalise.ts';
import { findMissing, findTypedFaults } from '../../services/console/src/schema-form/faults.ts';
import { labelOf } from '../../libs/telling/label.ts';
import {
  fromText,
  patchOf,
  kindOf,
  sortFaults,
  toText,
} from '../../services/console/src/schema-form/fields.ts';

const field = (more: Partial<FieldAnswer>): FieldAnswer => ({ name: 'any', ...more });

describe('the form that is drawn from a schema', () => {
  it('a field is drawn by its schema alone', () => {
    const drawn: [FieldAnswer, string][] = [
      [field({ type: 'boolean' }), 'switch'],
      [field({ type: 'string', enum: ['a', 'b'] }), 'choice'],
      [field({ type: ['integer', 'null'] }), 'number'],
      [field({ type: 'array' }), 'list'],
      [field({ type: 'object' }), 'pairs'],
      [field({ type: 'string', maxLength: 65_536 }), 'long'],
      [field({ name: 'idp-cert', type: 'string' }), 'long'],
      [field({ name: 'certificate', type: 'string' }), 'long'],
      [field({ name: 'private_key', type: 'string' }), 'long'],
      [field({ type: 'string', maxLength: 128 }), 'text'],
      [field({}), 'text'],
    ];
    for (const [one, kind] of drawn) expect(kindOf(one), JSON.stringify(one)).to.equal(kind);
    expect(kindOf(field({ type: 'object' }), { team: ' a=b ' })).to.equal('pairs');
    const unlike = [{ 'a=b': 'c' }, { a: 'two\nlines' }, { a: 5 }];
    for (const value of unlike) expect(kindOf(field({ type: 'object' }), value)).to.equal('json');
    expect(kindOf(field({ type: 'array' }), [' a'])).to.equal('json');
  });

  it('a name is written as people write it', () => {
    expect(labelOf('secret_access_key')).to.equal('Secret access key');
    expect(labelOf('sso-endpoint-url')).to.equal('SSO endpoint URL');
  });

  it('a text means a value of the kind of its field, and an empty one takes a setting away', () => {
    expect(fromText('number', '25')).to.equal(25);
    expect(fromText('number', 'many')).to.equal('many');
    for (const text of ['12345678901234567890', '0x10', '1e3', '']) {
      expect(fromText('number', text)).to.equal(text || null);
    }
    expect(fromText('number', '')).to.equal(null);
    expect(fromText('text', '')).to.equal(null);
    expect(fromText('text', ' kept ')).to.equal(' kept ');
    expect(fromText('list', 'a\n\n b \n')).to.deep.equal(['a', 'b']);
    expect(fromText('pairs', 'team=a=b\nempty=')).to.deep.equal({ team: 'a=b', empty: '' });
    // A line without a sign stays a text, so that its field says what is missing.
    expect(fromText('pairs', 'team=a\nbare')).to.equal('team=a\nbare');
    expect(fromText('pairs', ' x = y \n\n')).to.deep.equal({ ' x ': ' y ' });
    expect(fromText('pairs', 'a=1\na=2')).to.equal('a=1\na=2');
    expect(fromText('pairs', 'a=1\nb = 2\na=3\nc=["4","5"]', true)).to.deep.equal({
      a: ['1', '3'],
      b: '2',
      c: ['4', '5'],
    });
    expect(fromText('pairs', 'a=1\nb', true)).to.equal('a=1\nb');
    expect(fromText('json', '{"a":[1]}')).to.deep.equal({ a: [1] });
    expect(fromText('json', '{a')).to.equal('{a');
  });

  it('a value that is read and typed again as it stands stays the same', () => {
    const values: [Parameters<typeof toText>[0], unknown][] = [
      ['list', ['a', 'b']],
      ['pairs', { team: 'a=b' }],
      ['number', 25],
      ['text', 'plain'],
    ];
    for (const [kind, value] of values) expect(fromText(kind, toText(kind, value))).to.deep.equal(value);
    expect(toText('text', null)).to.equal('');
  });

  it('a merge patch removes each key that was taken out of a map', () => {
    const stored = { tags: { a: '1', b: '2' }, region: 'x' };
    const patch = patchOf({ tags: { b: '3' }, region: null, more: { c: '4' } }, stored);
    expect(patch).to.deep.equal({ tags: { b: '3', a: null }, region: null, more: { c: '4' } });
  });

  it('a fault stands at the field that it names, and the rest concerns all', () => {
    const fields = [field({ name: 'port' }), field({ name: 'region' })];
    const failure = new ApiFailure({
      status: 422,
      requestId: 'r-1',
      problems: [
        { detail: 'must be a port from 1 to 65535', field: 'port' },
        { detail: 'region must match a pattern' },
        { detail: 'the store refuses' },
      ],
    });
    const { byField, rest, wrong } = sortFaults(failure, fields);
    expect(wrong).to.deep.equal(['Port', 'Region']);
    expect(byField).to.deep.equal({
      port: 'Enter a port from 1 to 65535.',
      region: '“Region” must match a pattern.',
    });
    expect(rest).to.be.instanceOf(ApiFailure);
    const left = rest as ApiFailure;
    expect([left.message, left.requestId, left.status]).to.deep.equal(['the store refuses', 'r-1', 422]);
  });

  it('nothing is left to say of the whole form where every fault has its field', () => {
    const failure = new ApiFailure({ status: 400, problems: [{ detail: 'port is missing' }] });
    expect(sortFaults(failure, [field({ name: 'port' })]).rest).to.equal(null);
    const other = new Error('unexpected');
    expect(sortFaults(other, [field({ name: 'port' })])).to.deep.equal({
      byField: {},
      wrong: [],
      rest: other,
    });
  });

  it('a fault at its field says what to do, without the name of the field', () => {
    const said: [string, string][] = [
      ['days must be >= 1', 'Enter 1 or more.'],
      ['days is required', 'Enter a value.'],
      ['days is required: enter a number', 'Enter a number.'],
      ['days is required if auth is plain', '“Days” is required if auth is plain.'],
      ['the days of a policy must have 1 to 128 letters', 'Use 1 to 128 letters.'],
      ['the days of next week', 'The days of next week.'],
    ];
    for (const [detail, text] of said) {
      const failure = new ApiFailure({ status: 400, problems: [{ detail }] });
      expect(sortFaults(failure, [field({ name: 'days' })]).byField['days']).to.equal(text);
    }
  });

  it('a blank at an end is named where it alone makes a value a wrong one', () => {
    const keyId = field({ name: 'access_key_id', pattern: '^[!-~]+$' });
    const said = (value: string, one = keyId) =>
      findTypedFaults([one], { values: {}, edits: { [one.name]: value } }).map(({ detail }) => detail);
    expect(said('AKIA1 ')).to.deep.equal(['Remove the blank at the end.']);
    expect(said(' AKIA1')).to.deep.equal(['Remove the blank at the start.']);
    expect(said(' AK IA1')).to.deep.equal([]);
    expect(said('AKIA1')).to.deep.equal([]);
    expect(said(' text ', field({ pattern: '^.*$' }))).to.deep.equal([]);
  });

  it('the form asks for one of several where none is ticked', () => {
    const environments = field({ type: 'array', words: { preview: 'Preview' }, is_required: true });
    const missing = findMissing([environments], { values: {}, edits: {} });
    expect(missing).to.deep.equal([{ field: 'any', detail: 'Choose at least one.' }]);
  });

  it('a lack of a key is not taken for a field of the form that has the same name', () => {
    const detail = 'credentials: the key has no valid "project_id"';
    const failure = new ApiFailure({ status: 400, problems: [{ detail }] });
    const fields = [field({ name: 'credentials' }), field({ name: 'project_id' })];
    expect(sortFaults(failure, fields).byField).to.deep.equal({
      credentials: 'The key has no valid "project_id".',
    });
  });

  it('a sentence has a capital, but not a name or path that it begins with', () => {
    expect(capitalise('the store refuses')).to.equal('The store refuses');
    for (const text of [
      'platform/app/env exists already',
      'team-app is taken',
      'app.env is taken',
      'a_b: no',
    ])
      expect(capitalise(text)).to.equal(text);
  });
});
