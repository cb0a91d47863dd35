import type { Endpoint } from '../endpoint.ts';
import { associationLookupEndpoints } from './association-lookup.ts';
import { associationPlanEndpoints } from './associations-plan.ts';
import { associationSetEndpoints } from './associations-set.ts';
import { associationEndpoints } from './associations.ts';
import { auditEventEndpoints } from './audit-events.ts';
import { destinationDeleteEndpoints } from './destinations-delete.ts';
import { destinationWriteEndpoints } from './destinations-write.ts';
import { destinationEndpoints } from './destinations.ts';
import { capabilityEndpoints } from './capabilities.ts';
import { docsEndpoints } from './docs.ts';
import { healthEndpoints } from './health.ts';
import { kvEndpoints } from './kv.ts';
import { mountPreflightEndpoints } from './mounts-preflight.ts';
import { mountEndpoints } from './mounts.ts';
import { namespaceEndpoints } from './namespaces.ts';
import { pingEndpoints } from './ping.ts';
import { policyEndpoints } from './policies.ts';
import { retentionEndpoints } from './retention.ts';
import { samlEndpoints } from './saml.ts';
import { smsVerifyEndpoints } from './settings-sms-verify.ts';
import { settingsEndpoints } from './settings.ts';
import { openapiEndpoints } from './openapi.ts';
import { oidcSettingsEndpoints } from './oidc-settings.ts';
import { oidcTokenEndpoints } from './oidc-token.ts';
import { syncConfigEndpoints } from './sync-config.ts';
import { systemEndpoints } from './system.ts';
import { tokenEndpoints } from './tokens.ts';
import { versionEndpoints } from './versions.ts';
import { versionUsageEndpoints } from './versions-usages.ts';
import { wellKnownEndpoints } from './well-known.ts';

/** Endpoints that anybody may call. */
export const publicEndpoints: Endpoint[] = [
  ...healthEndpoints,
  ...samlEndpoints,
  ...wellKnownEndpoints,
  ...docsEndpoints,
  ...openapiEndpoints(() => ({ secrets: [...publicEndpoints, ...secretsEndpoints], admin: adminEndpoints })),
];

/** The KV store, the sync endpoints and what clients need around them. */
export const secretsEndpoints: Endpoint[] = [
  ...systemEndpoints,
  ...capabilityEndpoints,
  ...mountEndpoints,
  ...mountPreflightEndpoints,
  ...tokenEndpoints,
  ...policyEndpoints,
  ...namespaceEndpoints,
  ...kvEndpoints,
  ...syncConfigEndpoints,
  ...destinationEndpoints,
  ...destinationWriteEndpoints,
  ...destinationDeleteEndpoints,
  ...associationEndpoints,
  ...associationSetEndpoints,
  ...associationPlanEndpoints,
  ...associationLookupEndpoints,
  ...oidcTokenEndpoints,
];

/** Site administration, `/api/v2/…`. */
export const adminEndpoints: Endpoint[] = [
  ...pingEndpoints,
  ...settingsEndpoints,
  ...smsVerifyEndpoints,
  ...retentionEndpoints,
  ...versionEndpoints,
  ...versionUsageEndpoints,
  ...auditEventEndpoints,
  ...oidcSettingsEndpoints,
];
