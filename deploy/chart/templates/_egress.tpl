{{- define "sealift.egress.dns" -}}
- to:
    - namespaceSelector: {}
      podSelector: { matchLabels: { k8s-app: kube-dns } }
  ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
{{- end }}

{{- define "sealift.egress.database" -}}
- ports: [{ port: {{ .Values.network.database.port }}, protocol: TCP }]
  {{- with .Values.network.database.to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{- define "sealift.egress.broker" -}}
- ports: [{ port: {{ .Values.network.broker.port }}, protocol: TCP }]
  {{- with .Values.network.broker.to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{- define "sealift.egress.collector" -}}
{{- if .Values.config.OTEL_EXPORTER_OTLP_ENDPOINT }}
- ports: [{ port: {{ .Values.network.collector.port }}, protocol: TCP }]
  {{- with .Values.network.collector.to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- else }}
[]
{{- end }}
{{- end }}

{{/* What one kind of process calls outside; called with its dict and "root". */}}
{{- define "sealift.egress.out" -}}
{{- $values := .root.Values -}}
{{- if hasPrefix "connector-" .component }}
{{- include "sealift.egress.public" (dict "root" .root "ports" (list 443)) | fromYamlArray | concat .egress | toYaml }}
{{- else if eq .component "settings" }}
{{- include "sealift.egress.public" (dict "root" .root "ports" $values.settings.egressPorts) | fromYamlArray | concat $values.settings.egress | toYaml }}
{{- else if eq .component "key-maintenance" }}
{{- include "sealift.egress.public" (dict "root" .root "ports" (list 443)) | fromYamlArray | concat $values.keyMaintenance.egress | toYaml }}
{{- else }}
[]
{{- end }}
{{- end }}

{{/* Public addresses on some ports; called with dict "root" "ports". */}}
{{- define "sealift.egress.public" -}}
- to:
    - ipBlock: { cidr: 0.0.0.0/0, except: {{ .root.Values.network.exceptIPv4 | toJson }} }
    - ipBlock: { cidr: '::/0', except: {{ .root.Values.network.exceptIPv6 | toJson }} }
  ports:
    {{- range .ports }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
{{- end }}
