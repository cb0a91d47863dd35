import { expect } from 'chai';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { follow, refusal, untilHeard, type Follower } from './support.ts';

describe('what a subscription asks for', function () {
  let sealift: Sealift;
  let root: Follower;

  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/sys/mounts/secret', { type: 'kv-v2' });
    for (const path of ['team', 'team/a', 'team/b', 'other'])
      await sealift.client.post(`/v1/sys/namespaces/${path}`);
    for (const namespace of ['team', 'team/a', 'team/b', 'other'])
      await sealift.client.post('/v1/sys/mounts/secret', { type: 'kv-v2' }, { namespace });
    root = await follow(sealift, '*');
    await untilHeard(sealift, root);
  });
  after(async () => {
    await root.close();
    await sealift.stop();
  });

  async function writeEverywhere(): Promise<void> {
    for (const namespace of ['', 'team', 'team/a', 'team/b', 'other'])
      await sealift.client.post('/v1/secret/data/x', { data: { a: 'b' } }, { namespace });
  }

  async function heardFrom(
    options: { namespace?: string; query: string },
    count: number,
  ): Promise<unknown[]> {
    const follower = await follow(sealift, 'kv*', options);
    await writeEverywhere();
    const messages = await follower.take(count);
    await root.take(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(follower.left()).to.equal(0);
    await follower.close();
    return messages.map(({ data }) => data.namespace);
  }

  it('only events of the namespace of the request come, unless others are asked for', async () => {
    expect(await heardFrom({ query: 'json=true' }, 1)).to.deep.equal([undefined]);
    expect(await heardFrom({ namespace: 'team', query: 'json=true' }, 1)).to.deep.equal(['team/']);
  });

  it('namespaces are patterns below that of the request, and may be repeated', async () => {
    expect(await heardFrom({ namespace: 'team', query: 'json=true&namespaces=a' }, 2)).to.deep.equal([
      'team/',
      'team/a/',
    ]);
    expect(await heardFrom({ query: 'json=true&namespaces=team/*&namespaces=other' }, 4)).to.deep.equal([
      undefined,
      'team/a/',
      'team/b/',
      'other/',
    ]);
    expect(await heardFrom({ query: 'json=true&namespaces=*' }, 5)).to.have.length(5);
  });

  it('a namespace that is not below that of the request cannot be asked for', async () => {
    const options = { namespace: 'team', query: 'json=true&namespaces=../other' };
    expect(await refusal(sealift, 'kv*', options)).to.match(/^400 .*below that of the request/);
  });

  const filtered = async (filter: string): Promise<string[]> => {
    const query = `json=true&filter=${encodeURIComponent(filter)}`;
    const follower = await follow(sealift, 'kv*', { query });
    const { client } = sealift;
    await client.post('/v1/secret/data/app/one', { data: { a: 'b' } });
    await client.post('/v1/secret/data/two', { data: { a: 'b' } });
    await client.delete('/v1/secret/data/two');
    await client.post('/v1/secret/data/end', { data: { a: 'b' } });
    const paths: string[] = [];
    for (;;) {
      const [message] = await follower.take(1);
      const { operation = '', path = '' } = message?.data.event.metadata ?? {};
      if (path === 'secret/data/end') break;
      paths.push(`${operation} ${path.slice('secret/data/'.length)}`);
    }
    await follower.close();
    return paths;
  };
  const END = 'path == "secret/data/end" or';

  it('a filter selects events', async () => {
    const [one, two, gone] = ['data-write app/one', 'data-write two', 'data-delete two'];
    const cases: [string, string[]][] = [
      [`${END} data_path == secret/data/app/one`, [one]],
      [`${END} operation != "data-write"`, [gone]],
      [`${END} path contains "app/"`, [one]],
      [`${END} (operation == \`data-write\` and not path contains app)`, [two]],
      [`${END} "two" in path and event_type == "kv-v2/data-delete"`, [gone]],
      [`${END} "two" not in path`, [one]],
      [`${END} data_path is empty`, [gone]],
      [`source_plugin_mount == "secret/" and namespace == ""`, [one, two, gone]],
    ];
    for (const [filter, expected] of cases) expect(await filtered(filter), filter).to.deep.equal(expected);
  });

  it('a filter that cannot be read is refused with the place of its fault', async () => {
    const cases: [string, RegExp][] = [
      ['path matches "a.*"', /`matches` is not offered/],
      ['secret == "a"', /letter 1: one of event_type, .* is expected here/],
      ['path == ', /letter 9: a text is expected here/],
      ['path == "a', /letter 9: this text has no end/],
      ['(path == "a"', /`\)` is expected here/],
      ['path == "a" path == "b"', /letter 13: `and`, `or` or the end is expected here/],
      ['path ~ "a"', /letter 6: this is not understood here/],
      [`${'('.repeat(17)}path == a${')'.repeat(17)}`, /levels of this filter: 17 are too many/],
      [`path == "${'a'.repeat(1024)}"`, /bytes of the filter of a subscription: 1034 are too many/],
    ];
    for (const [filter, fault] of cases) {
      const query = `json=true&filter=${encodeURIComponent(filter)}`;
      const text = await refusal(sealift, 'kv*', { query });
      expect(text).to.match(/^400/);
      expect(JSON.parse(text.slice(4)).errors[0], filter).to.match(fault);
    }
  });
});
