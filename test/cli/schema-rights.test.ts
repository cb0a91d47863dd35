import { expect } from 'chai';
import type { Finding } from '../../libs/service/diagnosis/finding.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { runCommand } from './support.ts';

describe('a role that may not create tables', () => {
  const role = `without_create_${process.pid}`;
  let sealift: Sealift;
  let url: URL;
  const sql = (text: string) => sealift.context.db.raw(text);

  before(async () => {
    sealift = await startSealift();
    url = new URL(sealift.environment['DATABASE_URL'] ?? '');
    url.username = role;
    url.password = 'hidden-pass-word';
    await sql(
      `CREATE ROLE ${role} LOGIN PASSWORD 'hidden-pass-word'; REVOKE CREATE ON SCHEMA public FROM PUBLIC;
       GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}`,
    );
  });
  after(async () => {
    await sql(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await sealift?.stop();
  });

  const run = (words: string, address = url.href) =>
    runCommand(words.split(' '), { ...sealift.environment, DATABASE_URL: address });
  const schemaFinding = async (address?: string) => {
    const { findings } = JSON.parse((await run('doctor --no-egress --json', address)).stdout) as {
      findings: Finding[];
    };
    return findings.find(({ check }) => check === 'schema');
  };

  it('`migrate` finds an up-to-date schema up to date without the right to create', async () => {
    const { code, stdout, stderr } = await run('migrate');
    expect([code, stdout], stderr).to.deep.equal([0, 'the schema is up to date\n']);
  });

  it('`migrate` and `doctor` tell a schema that does not exist, and what to do', async () => {
    const other = new URL(url.href);
    other.search = '?options=-csearch_path%3Dnosuch';
    const { code, stderr } = await run('migrate', other.href);
    expect(code).to.equal(1);
    expect(stderr).to.contain('(3F000)').and.contain('CREATE SCHEMA').and.not.contain('CREATE TABLE');
    const finding = await schemaFinding(other.href);
    expect([finding?.state, finding?.detail]).to.deep.equal([
      'failed',
      'the schema of the tables does not exist (3F000)',
    ]);
    expect(finding?.advice).to.contain('CREATE SCHEMA');
  });

  it('`bootstrap` tells at once that the role may not use the tables', async () => {
    await sql(`REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${role}`);
    const { code, stderr } = await run('bootstrap');
    expect(code).to.equal(1);
    expect(stderr).to.contain('(42501)').and.contain('grant').and.not.contain('does not answer');
  });

  it('`migrate` and `doctor` tell the grant that the role needs to create tables', async () => {
    await sql(
      `ALTER SCHEMA public RENAME TO away; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO ${role}`,
    );
    const { code, stderr } = await run('migrate');
    expect(code).to.equal(1);
    expect(stderr)
      .to.contain('schema public (42501)')
      .and.contain('GRANT USAGE, CREATE ON SCHEMA')
      .and.not.contain('CREATE TABLE');
    const finding = await schemaFinding();
    expect(finding?.detail).to.contain('the role may create no table in the schema public');
    expect(finding?.advice).to.contain('GRANT CREATE ON SCHEMA public');
    expect((await run('migrate')).stdout).not.to.contain('hidden-pass-word');
  });
});
