import { Type } from 'typebox';
import { notFound, unprocessable } from '../../../../libs/errors/request-error.ts';
import { countOldData } from '../../../../libs/store/maintenance/retention.ts';
import {
  auditDaysOf,
  findRetentionPolicy,
  type KeptDays,
} from '../../../../libs/store/settings/retention.ts';
import { endpoint, noContent, ok, type Endpoint } from '../../routing/endpoint.ts';
import { presentRetentionPolicy } from '../../presenters/settings.ts';
import { addressOf } from '../../address.ts';
import {
  MOST_COUNTED,
  RETENTION_RESOURCE,
  retentionAnswer,
  retentionPreviewAnswer,
  type RetentionPreviewAnswer,
} from '../../contract/administration.ts';

export const RETENTION_TYPE = 'data-retention-policy-settings';

const path = `/api/v2/admin/${RETENTION_TYPE}`;
const DAY_MS = 86_400_000;
const days = (more = '') =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 36_500,
      title: 'Delete data older than (days)',
      description: `Audit entries, sync history and deleted versions of secrets that are older are deleted for good, in every namespace. Audit entries stay at least ${auditDaysOf(0)} days.${more}`,
    }),
  );

/** The schema for forms. `unset`: what counts while nothing is set. */
export const retentionSchemaFor = ({ audit, history }: KeptDays) =>
  Type.Object({
    'delete-older-than-n-days': days(
      ` Not set: audit entries are kept ${daysText(audit)}, sync history is kept ${daysText(history)}, and deleted versions stay.`,
    ),
  });

const daysText = (count: number): string => (count === 0 ? 'for ever' : `for ${count} days`);

/** How long the installation keeps old entries. Documentation and clients spell the attribute in two ways. */
export const retentionEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path,
    access: 'policy',
    summary: 'Read the data retention policy of the installation',
    answers: { 200: { data: retentionAnswer } },
    handle: async ({ services }) => {
      const policy = await findRetentionPolicy(services.db);
      if (!policy) throw notFound();
      return ok(presentRetentionPolicy(policy));
    },
  }),
  endpoint({
    method: 'POST',
    alsoMethods: ['PATCH'],
    path,
    access: 'policy',
    summary: 'Set the data retention policy of the installation',
    answers: { 200: { data: retentionAnswer }, 201: { data: retentionAnswer } },
    body: Type.Object({
      data: Type.Object({
        type: Type.Literal(RETENTION_RESOURCE),
        attributes: Type.Object({ 'delete-older-than-n-days': days(), deleteOlderThanNDays: days() }),
      }),
    }),
    exists: async ({ services }) => (await findRetentionPolicy(services.db)) !== undefined,
    handle: async ({ services, body, note }) => {
      const { attributes } = body.data;
      const given = attributes['delete-older-than-n-days'] ?? attributes.deleteOlderThanNDays;
      if (given === undefined) throw unprocessable(missingDays);
      const stored = await services.commands.call('settings', 'set-retention-policy', { days: given });
      const { policy, created, former } = stored;
      note({ changed: { 'delete-older-than-n-days': { old: former, new: given } } });
      const data = presentRetentionPolicy(policy);
      if (!created) return ok(data);
      return { status: 201, data, headers: { Location: addressOf(services.config, path) } };
    },
  }),
  endpoint({
    method: 'GET',
    path: `${path}/preview`,
    access: 'policy',
    summary: `Count what a data retention policy would delete now, up to ${MOST_COUNTED} of each kind`,
    answers: { 200: { data: retentionPreviewAnswer } },
    query: Type.Object({
      days: Type.Integer({ minimum: 1, maximum: 36_500, description: 'The days of the policy.' }),
    }),
    handle: async ({ services, query }) => {
      const auditDays = auditDaysOf(query.days);
      const ago = (kept: number): Date => new Date(Date.now() - kept * DAY_MS);
      const old = await countOldData(services.db, {
        before: ago(query.days),
        auditBefore: ago(auditDays),
        most: MOST_COUNTED,
      });
      return ok({
        data: {
          type: 'data-retention-previews',
          attributes: {
            'audit-days': auditDays,
            'audit-entries': old.audit,
            'history-entries': old.history,
            'deleted-versions': old.versions,
          },
        },
      } satisfies RetentionPreviewAnswer);
    },
  }),
  endpoint({
    method: 'DELETE',
    path,
    access: 'policy',
    summary: 'Remove the data retention policy: HISTORY_RETENTION_DAYS and AUDIT_RETENTION_DAYS apply again',
    answers: { 204: {} },
    handle: async ({ services, note }) => {
      const { former } = await services.commands.call('settings', 'remove-retention-policy', null);
      note({ changed: { 'delete-older-than-n-days': { old: former, new: null } } });
      return noContent();
    },
  }),
];

const missingDays = {
  title: 'invalid attribute',
  detail: 'delete-older-than-n-days is required',
  pointer: '/data/attributes/delete-older-than-n-days',
};
