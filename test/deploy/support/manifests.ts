import type { Manifest } from '../../../deploy/check/chart.ts';

type Probe = {
  httpGet?: { path: string; port: string };
  periodSeconds?: number;
  timeoutSeconds?: number;
  failureThreshold?: number;
};

type Spread = {
  maxSkew: number;
  topologyKey: string;
  whenUnsatisfiable: string;
  nodeTaintsPolicy?: string;
  matchLabelKeys?: string[];
  labelSelector: { matchLabels: Record<string, string> };
};

/** What of a pod the tests look at, with the labels and annotations of its template. */
export type Pod = {
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  automountServiceAccountToken?: boolean;
  securityContext?: object;
  terminationGracePeriodSeconds?: number;
  topologySpreadConstraints?: Spread[];
  volumes?: { name: string; secret?: { secretName: string } }[];
  containers: {
    args: string[];
    env: { name: string; value?: string }[];
    volumeMounts: { name: string; mountPath: string }[];
    ports?: object[];
    resources: object;
    securityContext: object;
    startupProbe?: Probe;
    livenessProbe?: Probe;
    readinessProbe?: Probe;
  }[];
};

export type Peer = { ipBlock?: { cidr: string; except?: string[] } };

export type Policy = {
  policyTypes: string[];
  ingress?: { from?: object[] }[];
  egress: { to?: Peer[]; ports: { port: number | string }[] }[];
};

export type Scaled = {
  scaleTargetRef: { name: string };
  minReplicaCount: number;
  triggers: { type: string; metadata: Record<string, string> }[];
};

export type Rollout = {
  replicas?: number;
  minReadySeconds?: number;
  strategy: { rollingUpdate: { maxUnavailable: number; maxSurge: number } };
};

export type Budget = {
  minAvailable?: number;
  maxUnavailable: number;
  unhealthyPodEvictionPolicy?: string;
};

/** The specification of any object. */
export function specOf(manifest: Manifest): object {
  return manifest['spec'] as object;
}

/** The pod that a Deployment or a Job makes; undefined for anything else. */
export function podsOf(manifest: Manifest): Pod | undefined {
  const { template } = (manifest['spec'] ?? {}) as { template?: { metadata: object; spec: Pod } };
  return template && { ...template.metadata, ...template.spec };
}

/** Which part of the service an object is about. */
export function componentOf(manifest: Manifest): string {
  return manifest.metadata.labels?.['app.kubernetes.io/component'] ?? '';
}
