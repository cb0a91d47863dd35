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

/** The parts of a pod that the tests read, with its template's labels and annotations. */
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

/** The spec of any object. */
export function specOf(manifest: Manifest): object {
  return manifest['spec'] as object;
}

/** The pod of a Deployment or a Job; undefined for other objects. */
export function podsOf(manifest: Manifest): Pod | undefined {
  const { template } = (manifest['spec'] ?? {}) as { template?: { metadata: object; spec: Pod } };
  return template && { ...template.metadata, ...template.spec };
}

/** The part of the service that an object belongs to. */
export function componentOf(manifest: Manifest): string {
  return manifest.metadata.labels?.['app.kubernetes.io/component'] ?? '';
}
