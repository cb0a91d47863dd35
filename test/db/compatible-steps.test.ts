import { expect } from 'chai';
import { migrations } from '../../libs/db/migrations/index.ts';
import { findBreakingSql } from './breaking-sql.ts';

/** Migrations after the baseline for which all processes must be stopped, each with the reason why two releases would not help. */
const STOPS_ALL: Record<string, string> = {};

/** Compatible migrations that the form of their statements does not show to be so, each with the reason. */
const UNNOTICED: Record<string, string> = {
  '018-bounds-of-ids': 'No id comes near the bound that each must keep.',
  '018-partitions': 'What gets another name becomes a partition of a table with the same name and columns.',
};

describe('the steps of the schema', () => {
  it('every newer step lets the version before go on, unless it is declared to stop all', () => {
    const [first, ...newer] = migrations;
    expect(first?.name).to.equal('001-baseline');
    const others = newer.filter(({ name, compatible }) => compatible !== true && !(name in STOPS_ALL));
    expect(others.map(({ name }) => name)).to.deep.equal([]);
  });

  it('no step that is called compatible breaks a statement of the version before', () => {
    const faults = migrations
      .filter(({ name, compatible }) => compatible === true && !(name in UNNOTICED))
      .flatMap(({ name, sql }) => findBreakingSql(sql).map((fault) => `${name}: ${fault}`));
    expect(faults).to.deep.equal([]);
  });

  it('the rule finds each kind of statement that breaks the version before', () => {
    for (const sql of [
      'DROP TABLE sessions',
      'ALTER TABLE tokens DROP COLUMN role',
      'ALTER TABLE tokens RENAME COLUMN role TO kind',
      'ALTER TABLE tokens RENAME TO keys',
      'ALTER TABLE tokens ALTER COLUMN role TYPE bytea',
      'ALTER TABLE tokens ALTER COLUMN role SET NOT NULL',
      'ALTER TABLE tokens ALTER COLUMN path DROP DEFAULT',
      'ALTER TABLE tokens ADD CHECK (role <> path)',
      'ALTER TABLE tokens ADD CONSTRAINT one UNIQUE (role)',
      'ALTER TABLE tokens ADD COLUMN first text, ADD COLUMN second numeric(3, 1) NOT NULL',
      'CREATE UNIQUE INDEX tokens_role ON tokens (role)',
    ])
      expect(findBreakingSql(sql), sql).to.have.length(1);
  });

  it('the rule lets through what the version before does not notice', () => {
    for (const sql of [
      'CREATE TABLE new (id bigint PRIMARY KEY, name text NOT NULL); CREATE UNIQUE INDEX new_name ON new (name);',
      "ALTER TABLE tokens ADD COLUMN first text, ADD COLUMN second text[] NOT NULL DEFAULT '{}';",
      'ALTER TABLE tokens\n  -- RENAME it later.\n  ADD COLUMN moved_from text;',
      'CREATE INDEX tokens_role ON tokens (role) WHERE role IS NOT NULL',
      'DROP INDEX tokens_role',
      'ALTER TABLE tokens ALTER COLUMN role DROP NOT NULL',
    ])
      expect(findBreakingSql(sql), sql).to.deep.equal([]);
  });
});
