import type { Example } from '../example.ts';
import { answers, documentOf, ends } from './build.ts';

const TYPE = 'data-retention-policy-delete-olders';
const RETENTION = '/api/v2/admin/data-retention-policy-settings';
const OIDC = '/api/v2/admin/oidc-settings/actions';

const kept = (days: number): { 'delete-older-than-n-days': number } => ({ 'delete-older-than-n-days': days });
const policy = (days: number): object =>
  documentOf('drp-lTws60k5CtP1iA5s', TYPE, kept(days), { relationships: { target: { data: null } } });
const retentionBody = (days: number): object => ({ data: { type: TYPE, attributes: kept(days) } });

/** Retention, and the signing keys. */
export const maintenanceExamples: Example[] = [
  answers(`POST ${RETENTION}`, 'Keep a year', policy(365), { body: retentionBody(365), status: 201 }),
  answers(`POST ${RETENTION}`, 'Keep two years', policy(730), { body: retentionBody(730) }),
  answers(`GET ${RETENTION}`, 'Read it', policy(730)),
  ends(`DELETE ${RETENTION}`, 'Keep everything'),
  ends(`POST ${OIDC}/rotate-key`, 'A new key'),
  ends(`POST ${OIDC}/trim-key`, 'Only the new key'),
];
