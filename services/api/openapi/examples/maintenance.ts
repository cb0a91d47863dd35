import type { Example } from '../example.ts';

/** What is kept, and with which key is signed. */
export const maintenanceExamples: Example[] = [
  {
    of: 'GET /api/v2/admin/data-retention-policy-settings',
    name: 'Read it',
    status: 200,
    answer: {
      data: {
        id: 'drp-lTws60k5CtP1iA5s',
        type: 'data-retention-policy-delete-olders',
        attributes: { 'delete-older-than-n-days': 730 },
        relationships: { target: { data: null } },
      },
    },
  },
  { of: 'DELETE /api/v2/admin/data-retention-policy-settings', name: 'Keep everything', status: 204 },
  { of: 'POST /api/v2/admin/oidc-settings/actions/rotate-key', name: 'A new key', status: 204 },
  { of: 'POST /api/v2/admin/oidc-settings/actions/trim-key', name: 'Only the new key', status: 204 },
];
