import { expect } from 'chai';
import { actionOf } from '../../services/api/audit/action.ts';
import { adminEndpoints, publicEndpoints, secretsEndpoints } from '../../services/api/endpoints/index.ts';
import { attemptText, changeBehind, type SecretChange } from '../../libs/telling/attempts.ts';
import { factsOf } from '../../libs/telling/facts.ts';
import { fieldNamer } from '../../libs/telling/field-names.ts';
import { incidentEndText } from '../../libs/telling/incident-end.ts';
import { outcomeText } from '../../libs/telling/outcome.ts';
import { PHRASES } from '../../libs/telling/phrases.ts';
import { sentenceText } from '../../libs/telling/sentence.ts';

// Refused with every method that an engine does not have.
const UNKNOWN = /\/:mount\{\/\*path\}$/;

describe('the sentences of the audit trail', () => {
  const tell = (event: object): string =>
    sentenceText({ action: '', path: '', outcome: 'succeeded', detail: null, ...event });

  it('every action that leaves an entry has words of its own', () => {
    const rows = [...publicEndpoints, ...secretsEndpoints, ...adminEndpoints];
    const audited = rows.filter(({ method, readsSecrets, isAuditedRead, changesNothing }) =>
      method === 'GET' || method === 'LIST' ? readsSecrets || isAuditedRead : !changesNothing,
    );
    const actions = [...new Set(audited.map((row) => actionOf(row, row.method)))];
    expect(actions.length).to.be.above(90);
    expect(actions.filter((action) => !(action in PHRASES) && !UNKNOWN.test(action))).to.deep.equal([]);
  });

  it('an action that is no route is told, whatever its letters are', () => {
    expect(tell({ action: '+1', path: '-2' })).to.equal('Ran the job +1');
  });

  it('an attempt that did not succeed was only tried', () => {
    const rollBack = { action: 'POST /:mount/rollback/*path', path: 'secret/rollback/web/s1' };
    expect(tell(rollBack)).to.equal('Rolled back secret/web/s1');
    expect(tell({ ...rollBack, outcome: 'refused' })).to.equal('Tried to roll back secret/web/s1');
    expect(tell({ ...rollBack, outcome: 'attempted' })).to.equal('Began to roll back secret/web/s1');
  });

  it('a sentence names what the entry is about, in a mount of several parts too', () => {
    const action = 'POST /:mount/data/*path';
    expect(tell({ action, path: 'team/kv/data/app/db' })).to.equal('Saved team/kv/app/db');
    const policy = { action: 'POST /sys/policies/acl/:name', path: 'sys/policies/acl/one-folder' };
    expect(tell(policy)).to.equal('Wrote the policy one-folder');
    const store = 'sys/sync/destinations/aws-sm/prod';
    const written = { action: 'POST /sys/sync/destinations/:type/:name', path: store };
    expect(tell({ ...written, detail: { change: 'created' } })).to.equal('Created the destination prod');
    expect(tell({ action: 'unlink', path: store, secret: 'kv/a' })).to.equal(
      'Asked to unlink kv/a from prod',
    );
    const made = { accessor: 'abc', display_name: 'token-ci' };
    expect(tell({ action: 'POST /auth/token/revoke-accessor', path: 'x', detail: made })).to.equal(
      'Revoked the token ci',
    );
  });

  it('the result of a failed test is in its sentence, and it is no success', () => {
    const path = 'sys/sync/destinations/aws-sm/prod';
    const now = new Date();
    const check = { action: 'POST /sys/sync/destinations/:type/:name/check', path };
    const bad = { tested: { ok: false, cause: 'credentials_refused' } };
    expect(tell({ ...check, detail: bad })).to.equal(
      'Tested the connection of the destination prod: credentials refused',
    );
    expect(outcomeText({ outcome: 'succeeded', at: now, detail: bad })).to.equal('Test failed');
    const good = { tested: { ok: true } };
    expect(tell({ ...check, detail: good })).to.equal('Tested the connection of the destination prod');
    expect(outcomeText({ outcome: 'succeeded', at: now, detail: good })).to.equal('Succeeded');
    const alert = { action: 'POST /sys/alerts/:name/test', path: 'sys/alerts/ops/test' };
    expect(tell({ ...alert, detail: { tested: [{ ok: true }, { ok: false }] } })).to.equal(
      'Tested the alert rule ops: 1 of 2 messages failed',
    );
  });

  it('a deletion tells whether the entries in the store go too', () => {
    const path = 'sys/sync/destinations/aws-sm/temp';
    const deletion = { action: 'DELETE /sys/sync/destinations/:type/:name', path };
    expect(tell({ ...deletion, detail: { way: 'delete' } })).to.equal('Deleted the destination temp');
    expect(tell({ ...deletion, detail: { way: 'purge' } })).to.equal(
      'Asked to delete the destination temp and its entries in the store',
    );
  });

  it('one version is told as one, and several as several', () => {
    const undeleted = { action: 'POST /:mount/undelete/*path', path: 'secret/undelete/app/db' };
    expect(tell({ ...undeleted, detail: { versions: [3] } })).to.equal(
      'Undeleted a version of secret/app/db',
    );
    expect(tell({ ...undeleted, detail: { versions: [3, 4] } })).to.equal(
      'Undeleted versions of secret/app/db',
    );
    expect(tell(undeleted)).to.equal('Undeleted versions of secret/app/db');
  });

  it('a verification names its secret and tells how many entries it found in which state', () => {
    const verified = {
      action: 'POST /sys/sync/destinations/:type/:name/associations/verify',
      path: 'sys/sync/destinations/aws-sm/prod/associations/verify',
      detail: { secret: 'kv/a', found: { in_sync: 2, drifted: 1 } },
    };
    expect(tell(verified)).to.equal('Verified kv/a in prod');
    expect(tell({ ...verified, outcome: 'refused', detail: null })).to.equal(
      'Tried to verify a secret in prod',
    );
    expect(factsOf(verified.detail)).to.deep.equal(['2 in sync, 1 drifted']);
  });

  it('a lifetime of nothing never expires, as the trail tells it', () => {
    expect(factsOf({ ttl_seconds: 0 })).to.deep.equal(['never expires']);
    expect(factsOf({ ttl_seconds: 3600 })).to.deep.equal(['for 1 hour']);
  });

  it('a decision about the entry of a link is told as asked for, since its store may refuse it', () => {
    const set = {
      action: 'POST /sys/sync/destinations/:type/:name/associations/set',
      path: 'sys/sync/destinations/aws-sm/prod/associations/set',
      secret: 'kv/a',
    };
    const sentence = (detail: object, outcome = 'succeeded'): string => tell({ ...set, detail, outcome });
    expect(sentence({ conflict_policy: 'adopt' })).to.equal('Asked to adopt the entry of kv/a in prod');
    expect(sentence({ conflict_policy: 'overwrite' })).to.equal(
      'Asked to overwrite the entry of kv/a in prod',
    );
    expect(sentence({ secret_name_template: 'a:b' })).to.equal('Asked to rename kv/a in prod to a:b');
    expect(sentence({ secret_name_template: 'b' }, 'refused')).to.equal('Tried to rename kv/a in prod to b');
    expect(sentence({ secret_name_template: '' })).to.equal('Asked to reset the name of kv/a in prod');
    expect(sentence({ secret: 'kv/a' })).to.equal('Asked to sync kv/a in prod');
    expect(sentence({ secret: 'kv/a' }, 'refused')).to.equal('Tried to link kv/a to prod');
    const linked = { secret: 'kv/a', only_linked: true };
    expect(sentence(linked, 'refused')).to.equal('Tried to sync kv/a in prod');
    const made = { link: 'created', conflict_policy: 'adopt', secret_name_template: 'b' };
    expect(sentence(made)).to.equal('Linked kv/a to prod');
    expect(factsOf(made)).to.deep.equal(['with the name b', 'may adopt an entry with its name']);
  });

  it('a request for many secrets tells how many it linked, and how many were linked before', () => {
    const many = {
      action: 'POST /sys/sync/destinations/:type/:name/associations/set-many',
      path: 'sys/sync/destinations/aws-sm/prod/associations/set-many',
    };
    const sentence = (detail: object | null, outcome = 'succeeded'): string =>
      tell({ ...many, detail, outcome });
    expect(sentence({ linked: 1 })).to.equal('Linked 1 secret to prod');
    expect(sentence({ refreshed: 8 })).to.equal('Asked to sync 8 secrets in prod');
    expect(sentence({ linked: 2, refreshed: 8 })).to.equal(
      'Linked 2 secrets to prod and asked to sync 8 more',
    );
    expect(sentence({ refreshed: 8, conflict_policy: 'adopt' })).to.equal(
      'Asked to adopt the entries of 8 secrets in prod',
    );
    expect(sentence({ refused: 3 })).to.equal('Tried to link 3 secrets to prod');
    expect(sentence({ refused: 3, only_linked: true })).to.equal('Tried to sync 3 secrets in prod');
    expect(sentence({ only_linked: true }, 'refused')).to.equal('Tried to sync secrets in prod');
    expect(sentence({ conflict_policy: 'adopt' }, 'refused')).to.equal(
      'Tried to adopt entries of secrets in prod',
    );
    expect(sentence(null, 'refused')).to.equal('Tried to link secrets to prod');
    const retry = { ...many, action: many.action.replace('set-many', 'retry') };
    const filter = { conflict_policy: 'overwrite' };
    expect(tell({ ...retry, detail: { filter, links: 2 } })).to.equal(
      'Asked to retry links of prod and overwrite their entries',
    );
  });

  it('a request for many secrets of which some were refused did not succeed as a whole', () => {
    const wordFor = (detail: object): string =>
      outcomeText({ outcome: 'succeeded', at: new Date(), detail: { ...detail } });
    expect(wordFor({ refreshed: 2 })).to.equal('Succeeded');
    expect(wordFor({ refreshed: 2, refused: 1 })).to.equal('Partly refused');
    expect(wordFor({ refused: 1 })).to.equal('Refused');
    expect(factsOf({ refreshed: 2, refused: 1 })).to.deep.equal(['1 refused']);
    expect(factsOf({ refused: 1 })).to.deep.equal([]);
  });

  it('something new is told with its policies, and a change with its fields', () => {
    const changed = { token_policies: { old: [], new: ['ci-read'] }, token_ttl: { old: null, new: 60 } };
    const role = { action: 'POST /auth/approle/role/:name', path: 'auth/approle/role/web' };
    const made = { change: 'created', changed };
    expect(tell({ ...role, detail: made })).to.equal('Created the AppRole role web');
    expect(factsOf(made)).to.deep.equal(['policies ci-read']);
    expect(factsOf({ change: 'updated', changed })).to.deep.equal(['changed: Token policies, Token TTL']);
  });

  it('pausing and resuming are told as such, whichever request did it', () => {
    const detail = (next: boolean) => ({ changed: { disabled: { old: !next, new: next } } });
    const action = 'PATCH /sys/sync/config';
    expect(tell({ action, detail: detail(true) })).to.equal('Paused syncing');
    expect(tell({ action, detail: detail(false) })).to.equal('Resumed syncing');
    expect(factsOf(detail(true))).to.deep.equal([]);
    const other = { changed: { queue_capacity: { old: 1, new: 2 } } };
    expect(tell({ action, detail: other })).to.equal('Changed the settings of syncing');
  });

  it('a pause is told with its reason and its end, which has a zone', () => {
    const until = '2026-11-28T22:00:00.000Z';
    const facts = factsOf({ change: 'paused', reason: 'the account moves', until });
    expect(facts[0]).to.equal('“the account moves”');
    expect(facts[1]).to.match(/^until 2[89] Nov 2026,? .*[A-Z]/);
    expect(factsOf({ change: 'paused', reason: null, until: null })).to.deep.equal([]);
  });

  it('an entry of a request that may still run is in progress, and an old one has lost its end', () => {
    const now = Date.parse('2026-11-28T22:00:00Z');
    const wordFor = (outcome: string, ageMs: number): string =>
      outcomeText({ outcome, at: new Date(now - ageMs) }, now);
    expect(wordFor('attempted', 0)).to.equal('In progress');
    expect(wordFor('attempted', 59_000)).to.equal('In progress');
    expect(wordFor('attempted', 61_000)).to.equal('End not recorded');
    expect(wordFor('succeeded', 0)).to.equal('Succeeded');
    expect(wordFor('failed', 61_000)).to.equal('Failed');
  });

  it('an attempt that a store refused was only tried, and one that it will confirm was made', () => {
    const attempt = (action: string, outcome: string): string => attemptText({ action, outcome });
    expect(attempt('create', 'SYNCED')).to.equal('Created …');
    expect(attempt('create', 'SYNCING')).to.equal('Created …');
    for (const outcome of ['CLIENT_SIDE_ERROR', 'EXTERNAL_SERVICE_ERROR', 'THROTTLED', 'INTERNAL_ERROR'])
      expect(attempt('create', outcome)).to.equal('Tried to create …');
    expect(attempt('delete', 'UNSYNCED')).to.equal('Deleted …');
    expect(attempt('delete', 'CLIENT_SIDE_ERROR')).to.equal('Tried to delete …');
    expect(attempt('reach', 'CLIENT_SIDE_ERROR')).to.equal('Tried to reach …');
    expect(attempt('look', 'EXTERNAL_SERVICE_ERROR')).to.equal('Tried to look at …');
    expect(attempt('adopt', 'SYNCED')).to.equal('Adopted …; its value was the same');
    expect(attempt('replace', 'SYNCING')).to.equal('Adopted … and replaced its value');
  });

  it('a deed for all links of an incident is told as what ended the last of them', () => {
    const cause = { class: 'DRIFTED', code: 'changed_outside' };
    const end = (most: number, deed: string, change?: SecretChange): string =>
      incidentEndText({
        cause,
        most,
        ended: 'person',
        ended_by: 'nora',
        ended_after: { cause: deed, version: null, ...(change ? { change } : {}) },
      });
    expect(end(1, 'destination')).to.equal('Ended after nora changed the destination');
    expect(end(4, 'destination')).to.equal('The last of them ended after nora changed the destination');
    expect(end(4, 'retry')).to.equal('The last of them ended after nora asked for a retry');
    expect(end(1, 'overwrite')).to.equal('Ended after nora asked to overwrite the entry');
    expect(end(1, 'write', { kind: 'delete', versions: [3] })).to.equal('Ended after nora deleted v3');
    expect(end(1, 'write', { kind: 'delete' })).to.equal('Ended after nora deleted the secret');
  });

  it('an attempt is told as for a deletion only if it does not bring a newer version', () => {
    const isFor = (kind: SecretChange['kind'], versions: number[], version: number | null): boolean =>
      changeBehind({ change: { kind, versions }, version }) !== undefined;
    expect([isFor('delete', [3], 2), isFor('destroy', [3], null)]).to.deep.equal([true, true]);
    expect([isFor('delete', [3], 4), isFor('delete', [2], 3)]).to.deep.equal([false, false]);
    expect([isFor('undelete', [3], 3), isFor('undelete', [1], 3)]).to.deep.equal([true, false]);
  });

  it('an action without words of its own is still a sentence', () => {
    const refused = { outcome: 'refused', path: 'sys/sync/summary' };
    expect(tell({ ...refused, action: 'GET /sys/sync/summary' })).to.equal('Tried to read sys/sync/summary');
    expect(tell({ action: 'rotate-signing-key' })).to.equal('Ran the job rotate-signing-key');
    expect(tell({ action: 'job tidy' })).to.equal('Ran the job tidy');
  });

  it('versions, keys, what was asked for and why it was refused stand behind a sentence', () => {
    expect(factsOf({ version: 3, keys: ['user', 'password'] })).to.deep.equal([
      'version 3',
      'keys user, password',
    ]);
    expect(factsOf({ asked: { policies: ['root'] } })).to.deep.equal(['asked for the policies root']);
    expect(factsOf({ kind: 'no_token', count: 12 })).to.deep.equal(['no token was sent', '12 times']);
    expect(factsOf({ changed: { port: { old: 1, new: 2 } } })).to.deep.equal(['changed: Port']);
    const changed = { jwks_url: { old: null, new: '' }, bound_issuer: { old: null, new: 'https://a' } };
    expect(factsOf({ changed })).to.deep.equal(['changed: Bound issuer']);
    const limits = { changed: { cas_required: { old: false, new: true } }, custom_metadata: { owner: 'a' } };
    const nameOf = fieldNamer({ action: 'PATCH /:mount/metadata/*path', path: 'kv/metadata/a' }, undefined);
    expect(factsOf(limits, nameOf)).to.deep.equal(['changed: Check-and-set', 'custom metadata: owner']);
    const issuer = { action: 'POST /auth/jwt/config', path: 'auth/ci/config', detail: { mount: 'ci' } };
    expect(tell(issuer)).to.equal('Changed the settings of the JWT auth method ci/');
    expect(factsOf({ mount: 'kvb', version: 2 })).to.deep.equal(['KV version 2']);
    const tuning = { action: 'POST /sys/mounts/*path/tune', path: 'sys/mounts/kvb/tune' };
    const upgrade = { mount: 'kvb', changed: { version: { old: 1, new: 2 } } };
    expect(factsOf(upgrade, fieldNamer(tuning, undefined))).to.deep.equal(['changed: KV version']);
    expect(factsOf({ versions: [3] })).to.deep.equal(['version 3']);
    expect(factsOf(null)).to.deep.equal([]);
  });
});
