{{- define "sealift.name" -}}
{{- if contains "sealift" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-sealift" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Labels for a selector, which can never change. Called with dict "root" "component". */}}
{{- define "sealift.selector" -}}
app.kubernetes.io/name: sealift
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "sealift.labels" -}}
{{ include "sealift.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "sealift.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest }}{{ $image.repository }}@{{ $image.digest }}{{ else }}{{ $image.repository }}:{{ $image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{/* Replicas of a process whose values set no number. */}}
{{- define "sealift.shapeReplicas" -}}
{{- ternary 2 1 (eq .Values.shape "highlyAvailable") -}}
{{- end }}

{{/* The Deployments that serve no requests, as a list of dicts: component, replicas, resources, scaled. */}}
{{- define "sealift.workers" -}}
{{- if .Values.oneProcess }}[]{{ else }}{{ include "sealift.workerKinds" . }}{{ end -}}
{{- end }}

{{/* The kinds of workers, whether each has a Deployment or not; as above. */}}
{{- define "sealift.workerKinds" -}}
{{- $replicas := include "sealift.shapeReplicas" . | int -}}
{{- $workers := list -}}
{{- range $type, $one := .Values.connectors -}}
{{- if $one.enabled -}}
{{- $workers = append $workers (dict "component" (printf "connector-%s" $type) "type" $type "replicas" ($one.replicas | default $replicas) "resources" ($one.resources | default dict) "egress" ($one.egress | default list) "scaled" $.Values.autoscaling.enabled "maxReplicas" ($one.maxReplicas | default $.Values.autoscaling.maxReplicas)) -}}
{{- end -}}
{{- end -}}
{{- $workers = append $workers (dict "component" "settings" "replicas" (.Values.settings.replicas | default $replicas) "resources" .Values.settings.resources "scaled" false) -}}
{{- $workers = append $workers (dict "component" "key-maintenance" "replicas" (.Values.keyMaintenance.replicas | default $replicas) "resources" .Values.keyMaintenance.resources "scaled" false) -}}
{{- $workers | toJson -}}
{{- end }}

{{/* The part of a pod's spec that all pods share, without containers. */}}
{{- define "sealift.podSettings" -}}
automountServiceAccountToken: false
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: master-key
    secret:
      secretName: {{ .Values.secret.name }}
      defaultMode: 0440
      items: [{ key: {{ .Values.secret.masterKey }}, path: master-key }]
  {{- with .Values.credentials.secret }}
  - name: credentials
    secret: { secretName: {{ . }}, defaultMode: 0440 }
  {{- end }}
{{- end }}

{{/* The arguments of a container; called with dict "root" "component". */}}
{{- define "sealift.words" -}}
{{- if and .root.Values.oneProcess (eq .component "api") -}}
{{- $types := list -}}
{{- range include "sealift.workerKinds" .root | fromJsonArray }}{{ with .type }}{{ $types = append $types . }}{{ end }}{{ end -}}
{{- concat (list "serve" "all" "--one-process") (ternary (list "--types" (join "," $types)) list (gt (len $types) 0)) | toJson -}}
{{- else -}}
{{- list .component | toJson -}}
{{- end -}}
{{- end }}

{{/* The settings that all containers share; called with dict "root" "component" "resources" "args". */}}
{{- define "sealift.container" -}}
{{- $values := .root.Values -}}
name: sealift
image: {{ include "sealift.image" .root }}
imagePullPolicy: {{ $values.image.pullPolicy }}
args: {{ include "sealift.words" . }}
env:
  - name: DATABASE_URL
    valueFrom: { secretKeyRef: { name: {{ $values.secret.name }}, key: {{ $values.secret.databaseUrl }} } }
  - name: AMQP_URL
    valueFrom: { secretKeyRef: { name: {{ $values.secret.name }}, key: {{ $values.secret.amqpUrl }} } }
  {{- range $name, $key := $values.secret.environment }}
  - name: {{ $name }}
    valueFrom: { secretKeyRef: { name: {{ $values.secret.name }}, key: {{ $key }} } }
  {{- end }}
  {{- with $values.secret.oldMasterKeys }}
  - name: SEALIFT_OLD_MASTER_KEYS
    valueFrom: { secretKeyRef: { name: {{ $values.secret.name }}, key: {{ . }} } }
  {{- end }}
  - name: SEALIFT_MASTER_KEY_FILE
    value: /run/secrets/sealift/master-key
  {{- if $values.credentials.secret }}
  - name: CREDENTIALS_DIR
    value: /run/secrets/credentials
  {{- end }}
  {{- with $values.api.publicUrl }}
  - name: PUBLIC_URL
    value: {{ . | quote }}
  {{- end }}
  {{- range $name, $value := $values.config }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
volumeMounts:
  - { name: master-key, mountPath: /run/secrets/sealift, readOnly: true }
  {{- if and $values.credentials.secret (or $values.oneProcess (has .component (splitList " " (include "sealift.credentialReaders" .)))) }}
  - { name: credentials, mountPath: /run/secrets/credentials, readOnly: true }
  {{- end }}
resources: {{- .resources | default $values.resources | toYaml | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/*
Spreads pods over nodes, and over zones where there are several. Nodes that accept no pods do not count, so a drained
node blocks nothing. Pods of an old revision do not count either, because a rolling update removes them.
*/}}
{{- define "sealift.spread" -}}
{{- $strict := eq .root.Values.shape "highlyAvailable" -}}
{{- range $key, $rule := dict "kubernetes.io/hostname" (ternary "DoNotSchedule" "ScheduleAnyway" $strict) "topology.kubernetes.io/zone" "ScheduleAnyway" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: {{ $rule }}
  nodeTaintsPolicy: Honor
  matchLabelKeys: [pod-template-hash]
  labelSelector:
    matchLabels: {{- include "sealift.selector" $ | nindent 6 }}
{{- end }}
{{- end }}

{{/* A Deployment of one process; called with dict "root" "component" "replicas" "resources" "scaled". */}}
{{- define "sealift.deployment" -}}
{{- $values := .root.Values -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "sealift.name" .root }}-{{ .component }}
  labels: {{- include "sealift.labels" . | nindent 4 }}
spec:
  {{- if not .scaled }}
  replicas: {{ .replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  # A new pod must run for a while before it replaces another one, because it may end right after its start.
  minReadySeconds: 5
  selector:
    matchLabels: {{- include "sealift.selector" . | nindent 6 }}
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      labels: {{- include "sealift.labels" . | nindent 8 }}
        {{- with $values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- if or $values.monitoring.annotations $values.podAnnotations }}
      annotations:
        {{- if $values.monitoring.annotations }}
        prometheus.io/scrape: 'true'
        prometheus.io/port: '9200'
        prometheus.io/path: /metrics
        {{- end }}
        {{- with $values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- end }}
    spec:
      {{- include "sealift.podSettings" .root | nindent 6 }}
      # Longer than SHUTDOWN_TIMEOUT (milliseconds) plus the pause before the stop.
      terminationGracePeriodSeconds: {{ add 15 (ceil (divf ($values.config.SHUTDOWN_TIMEOUT | default 20000) 1000)) }}
      topologySpreadConstraints: {{- include "sealift.spread" . | nindent 8 }}
      containers:
        - {{- include "sealift.container" . | nindent 10 }}
          ports:
            {{- if eq .component "api" }}
            - { name: http, containerPort: 8200 }
            {{- end }}
            - { name: health, containerPort: 9200 }
          # It listens only when Postgres answers and has the right schema. A restart would not help, so it gets half an hour.
          startupProbe:
            httpGet: { path: /health/live, port: health }
            periodSeconds: 2
            timeoutSeconds: 5
            failureThreshold: 900
          # Kubernetes restarts it after 30 s without any answer.
          livenessProbe:
            httpGet: { path: /health/live, port: health }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 3
          # After 15 s without a good answer, as in a failover of Postgres, it gets no requests. It gets them again 3 s after a good
          # answer.
          readinessProbe:
            httpGet: { path: /health/ready, port: health }
            periodSeconds: 3
            timeoutSeconds: 5
            failureThreshold: 5
          {{- if eq .component "api" }}
          lifecycle:
            # Callers and load balancers must notice the end before the process stops.
            preStop: { exec: { command: [sleep, '5'] } }
          {{- end }}
{{- end }}

{{/* The components that read credential files. types:begin, written by npm run fragments */}}
{{- define "sealift.credentialReaders" -}}
connector-cloud3-sm
{{- end }}
{{/* types:end */}}
