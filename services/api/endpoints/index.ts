import type { Endpoint } from '../routing/endpoint.ts';
import { alertEndpoints } from './alerts/alerts.ts';
import { alertTryEndpoints } from './alerts/try.ts';
import { alertWriteEndpoints } from './alerts/write.ts';
import { associationLookupEndpoints } from './associations/lookup.ts';
import { linkEndpoints } from './associations/links.ts';
import { planEndpoints } from './plans/plans.ts';
import { previewEndpoints } from './plans/preview.ts';
import { associationSetEndpoints } from './associations/set.ts';
import { associationSetManyEndpoints } from './associations/set-many.ts';
import { associationRemoveManyEndpoints } from './associations/remove-many.ts';
import { associationRowEndpoints } from './associations/rows.ts';
import { summaryEndpoints } from './summary/summary.ts';
import { incidentEndpoints } from './incidents/incidents.ts';
import { eventEndpoints } from './events/subscribe.ts';
import { reachableEndpoints } from './search/reachable.ts';
import { searchEndpoints } from './search/search.ts';
import { schemaEndpoints } from './schemas/schemas.ts';
import { revealEndpoints } from './kv/reveal.ts';
import { associationEndpoints } from './associations/associations.ts';
import { auditEventEndpoints } from './audit/events.ts';
import { createActionKinds } from './audit/kinds.ts';
import { auditNameEndpoints } from './audit/names.ts';
import { storyEndpoints } from './audit/story.ts';
import { destinationAttemptEndpoints } from './destinations/attempts.ts';
import { destinationDeleteEndpoints } from './destinations/delete.ts';
import { destinationHistoryEndpoints } from './destinations/history.ts';
import { destinationIdentityEndpoints } from './destinations/identity.ts';
import { destinationPauseEndpoints } from './destinations/pause.ts';
import { destinationWriteEndpoints } from './destinations/write.ts';
import { destinationEndpoints } from './destinations/destinations.ts';
import { githubAppEndpoints } from './github-apps/github-apps.ts';
import { cubbyholeEndpoints } from './cubbyhole/cubbyhole.ts';
import { capabilityEndpoints } from './policies/capabilities.ts';
import { auditDeviceEndpoints } from './audit/devices.ts';
import { appRoleMethodEndpoints } from './auth-methods/approle/approle.ts';
import { jwtMethodEndpoints } from './auth-methods/jwt/jwt.ts';
import { kubernetesMethodEndpoints } from './auth-methods/kubernetes/kubernetes.ts';
import { authMethodEndpoints } from './auth-methods/methods.ts';
import { authUsageEndpoints } from './auth-methods/usage.ts';
import { tokenMethodEndpoints } from './auth-methods/token-method.ts';
import { keyStatusEndpoints } from './system/key-status.ts';
import { statusEndpoints } from './system/status.ts';
import { docsEndpoints } from './system/docs.ts';
import { healthEndpoints } from './system/health.ts';
import { kvEndpoints } from './kv/kv.ts';
import { mountPreflightEndpoints } from './mounts/preflight.ts';
import { kvMountEndpoints } from './mounts/mounts.ts';
import { remountEndpoints } from './remount/remount.ts';
import { mountUsageEndpoints } from './mounts/usage.ts';
import { namespaceEndpoints } from './namespaces/namespaces.ts';
import { pingEndpoints } from './system/ping.ts';
import { policyHolderEndpoints } from './policies/holders.ts';
import { policyEndpoints } from './policies/policies.ts';
import { readerEndpoints } from './policies/readers.ts';
import { retentionEndpoints } from './settings/retention.ts';
import { revisionEndpoints } from './revisions/revisions.ts';
import { samlCheckEndpoints } from './saml/check.ts';
import { samlEndpoints } from './saml/saml.ts';
import { samlTestEndpoints } from './saml/test-sign-in.ts';
import { smsVerifyEndpoints } from './settings/sms-verify.ts';
import { sessionListEndpoints } from './session/list.ts';
import { sessionEndpoints } from './session/session.ts';
import { settingsEndpoints } from './settings/settings.ts';
import { openapiEndpoints } from './system/openapi.ts';
import { identityIssuerEndpoints } from './oidc/identity-issuer.ts';
import { oidcSettingsEndpoints } from './oidc/settings.ts';
import { oidcTokenEndpoints } from './oidc/token.ts';
import { syncConfigEndpoints } from './associations/sync-config.ts';
import { systemEndpoints } from './system/system.ts';
import { teamEndpoints } from './teams/teams.ts';
import { tokenEndpoints } from './tokens/tokens.ts';
import { policyEngineVersionEndpoints } from './policy-engine-versions/policy-engine-versions.ts';
import { policyEngineVersionUsageEndpoints } from './policy-engine-versions/usages.ts';
import { wellKnownEndpoints } from './oidc/well-known.ts';
import { wrappingEndpoints } from './wrapping/wrapping.ts';

// The rows are complete when the first request asks for an action.
const actions = createActionKinds(() => [...publicEndpoints, ...secretsEndpoints, ...adminEndpoints]);

/** Endpoints that anybody may call. */
export const publicEndpoints: Endpoint[] = [
  ...healthEndpoints,
  ...samlEndpoints,
  ...wellKnownEndpoints,
  ...identityIssuerEndpoints,
  ...docsEndpoints,
  ...openapiEndpoints(() => ({ secrets: [...publicEndpoints, ...secretsEndpoints], admin: adminEndpoints })),
];

/** The KV store, the sync endpoints and what clients need around them. */
export const secretsEndpoints: Endpoint[] = [
  ...systemEndpoints,
  ...capabilityEndpoints,
  // Must come before the auth methods and mounts, whose paths match `sys/mounts/auth/token/tune` too.
  ...tokenMethodEndpoints,
  ...authMethodEndpoints,
  ...authUsageEndpoints,
  ...appRoleMethodEndpoints,
  ...jwtMethodEndpoints,
  ...kubernetesMethodEndpoints,
  ...auditDeviceEndpoints,
  ...keyStatusEndpoints,
  ...statusEndpoints,
  ...kvMountEndpoints,
  ...mountPreflightEndpoints,
  ...remountEndpoints,
  ...mountUsageEndpoints,
  ...tokenEndpoints,
  ...teamEndpoints,
  ...sessionEndpoints,
  ...sessionListEndpoints,
  ...wrappingEndpoints,
  ...cubbyholeEndpoints,
  ...policyEndpoints,
  ...policyHolderEndpoints,
  ...readerEndpoints,
  ...revisionEndpoints,
  ...namespaceEndpoints,
  ...alertEndpoints,
  ...alertWriteEndpoints,
  ...alertTryEndpoints,
  ...kvEndpoints,
  ...revealEndpoints,
  ...eventEndpoints,
  ...storyEndpoints(actions),
  ...schemaEndpoints,
  ...searchEndpoints,
  ...reachableEndpoints,
  ...syncConfigEndpoints,
  ...summaryEndpoints,
  ...incidentEndpoints,
  ...githubAppEndpoints,
  ...destinationEndpoints,
  ...destinationIdentityEndpoints,
  ...destinationHistoryEndpoints,
  ...destinationAttemptEndpoints,
  ...destinationWriteEndpoints,
  ...destinationDeleteEndpoints,
  ...destinationPauseEndpoints,
  ...associationRowEndpoints,
  ...associationEndpoints,
  ...associationSetEndpoints,
  ...associationSetManyEndpoints,
  ...associationRemoveManyEndpoints,
  ...planEndpoints,
  ...previewEndpoints,
  ...associationLookupEndpoints,
  ...linkEndpoints,
  ...oidcTokenEndpoints,
];

/** Site administration, `/api/v2/…`. */
export const adminEndpoints: Endpoint[] = [
  ...pingEndpoints,
  ...settingsEndpoints,
  ...samlCheckEndpoints,
  ...samlTestEndpoints,
  ...smsVerifyEndpoints,
  ...retentionEndpoints,
  ...policyEngineVersionEndpoints,
  ...policyEngineVersionUsageEndpoints,
  ...auditEventEndpoints(actions),
  ...auditNameEndpoints,
  ...oidcSettingsEndpoints,
];
