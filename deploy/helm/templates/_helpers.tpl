{{/* Name of all resources. A release may be called `prod.eu` or `2`, but a Service has no dot and begins with a letter. */}}
{{- define "perdure.name" -}}
{{- $name := ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name) | replace "." "-" }}
{{- regexReplaceAll "^[0-9]" $name "perdure-${0}" | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "perdure.labels" -}}
app.kubernetes.io/name: perdure
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* Labels of one part for selectors, which never change. Called with (dict "root" $ "part" "api"). */}}
{{- define "perdure.selector" -}}
app.kubernetes.io/name: perdure
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "perdure.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* The environment of a part, one entry per name: the part's settings override those of all parts. */}}
{{- define "perdure.environment" -}}
{{- $root := .root }}
{{- $part := index $root.Values .part | default dict }}
{{- $own := dict
  "TEMPORAL_ADDRESS" $root.Values.temporal.address
  "TEMPORAL_NAMESPACE" $root.Values.temporal.namespace
  "METRICS_HOST" "0.0.0.0"
  "METRICS_PORT" ($root.Values.metrics.port | int) }}
{{- if hasKey $part "drainSeconds" }}{{ $_ := set $own "DRAIN_TIMEOUT_MS" (mul (int $part.drainSeconds) 1000) }}{{ end }}
{{- if eq .part "api" }}
{{- $_ := set $own "HOST" "0.0.0.0" }}
{{- $_ := set $own "PORT" 3000 }}
{{- $_ := set $own "API_PROCESSES" (ternary $part.autoscaling.maxReplicas $part.replicas $part.autoscaling.enabled | int) }}
{{- end }}
{{- with $root.Values.ingress }}
{{- if and .enabled .hosts }}{{ $_ := set $own "PUBLIC_URL" (printf "%s://%s" (ternary "https" "http" (not (empty .tls))) (first .hosts).host) }}{{ end }}
{{- end }}
{{- if $root.Values.temporal.tlsSecret }}
{{- $_ := set $own "TEMPORAL_TLS_CLIENT_CERT_PATH" "/etc/perdure/temporal/tls.crt" }}
{{- $_ := set $own "TEMPORAL_TLS_CLIENT_KEY_PATH" "/etc/perdure/temporal/tls.key" }}
{{- end }}
{{- if $root.Values.certificatesConfigMap }}{{ $_ := set $own "NODE_EXTRA_CA_CERTS" "/etc/perdure/certificates/ca.crt" }}{{ end }}
{{- $all := mergeOverwrite $own $root.Values.extraEnvironment $root.Values.settings ($part.settings | default dict) }}
{{- if not (or (get $all "PUBLIC_URL") (has "PUBLIC_URL" $root.Values.secret.keys)) }}{{ fail "settings.PUBLIC_URL: required, the URL by which callers reach the API, such as https://perdure.example.com; with an ingress it is that of its first host" }}{{ end }}
{{- $known := splitList "\n" ($root.Files.Get "files/settings.txt") }}
{{- range $name, $_ := mergeOverwrite (dict) $root.Values.settings ($part.settings | default dict) }}
{{- if not (has $name $known) }}{{ fail (printf "settings.%s: no such setting; docs/settings.md has them all, and other variables belong to extraEnvironment" $name) }}{{ end }}
{{- end }}
{{- range $name, $value := $all }}
- name: {{ $name }}
  {{- /* Values of files come as floats, and 1048576 would become 1.048576e+06. */}}
  value: {{ if and (kindIs "float64" $value) (eq (floor $value) $value) }}{{ int64 $value | quote }}{{ else }}{{ $value | toString | quote }}{{ end }}
{{- end }}
{{- $keys := $root.Values.secret.keys }}
{{- if eq .part "api" }}{{ $keys = concat $keys $root.Values.secret.apiKeys }}{{ end }}
{{- range $keys }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $root.Values.secret.name }}
      key: {{ . }}
{{- end }}
{{- end }}

{{- define "perdure.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "perdure.name" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{/* Labels and annotations of a part's pods. The checksum restarts pods when the Secret changes. */}}
{{- define "perdure.podMetadata" -}}
{{- $part := index .root.Values .part | default dict -}}
labels:
  {{- include "perdure.selector" . | nindent 2 }}
  {{- with $part.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- $annotations := $part.podAnnotations | default dict }}
{{- with .root.Values.secret.checksum }}{{ $annotations = merge (dict "checksum/secret" .) $annotations }}{{ end }}
{{- with $annotations }}
annotations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Common to our pods: an unprivileged user, and only /tmp is writable. Called like perdure.selector. */}}
{{- define "perdure.podSecurity" -}}
{{- $part := index .root.Values .part | default dict }}
{{- with .root }}
serviceAccountName: {{ include "perdure.serviceAccount" . }}
automountServiceAccountToken: false
# Otherwise a Service `postgres` of the namespace would be the variable POSTGRES_PORT, tcp://…, which is a setting.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  {{- if not .Values.userOfNamespace }}
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  {{- end }}
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: { sizeLimit: 1Gi }
  {{- with .Values.temporal.tlsSecret }}
  - name: temporal-tls
    secret: { secretName: {{ . }} }
  {{- end }}
  {{- with .Values.certificatesConfigMap }}
  - name: certificates
    configMap: { name: {{ . }} }
  {{- end }}
{{- end }}
  {{- with $part.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with $part.initContainers }}
initContainers: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "perdure.container" -}}
{{- $part := index .root.Values .part | default dict }}
{{- with .root }}
image: {{ include "perdure.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  readOnlyRootFilesystem: true
  allowPrivilegeEscalation: false
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  {{- if .Values.temporal.tlsSecret }}
  - { name: temporal-tls, mountPath: /etc/perdure/temporal, readOnly: true }
  {{- end }}
  {{- if .Values.certificatesConfigMap }}
  - { name: certificates, mountPath: /etc/perdure/certificates, readOnly: true }
  {{- end }}
{{- end }}
  {{- with $part.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* Placement and priority of a part's pods. */}}
{{- define "perdure.placement" -}}
{{- $part := index .root.Values .part }}
{{- with $part.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $part.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $part.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $part.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{/* A constraint without a selector counts the pods of the part; otherwise it would count none. */}}
{{- define "perdure.spread" -}}
{{- $part := index .root.Values .part }}
{{- $selector := dict "matchLabels" (include "perdure.selector" . | fromYaml) }}
{{- with $part.topologySpreadConstraints }}
topologySpreadConstraints:
{{- range . }}
  - {{ ternary . (merge (dict "labelSelector" $selector) .) (hasKey . "labelSelector") | toYaml | nindent 4 | trim }}
{{- end }}
{{- end }}
{{- end }}

{{/* The disruption budget and the autoscaler of a part. */}}
{{- define "perdure.scaling" -}}
{{- $part := index .root.Values .part }}
{{- $name := printf "%s-%s" (include "perdure.name" .root) .part }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels: {{ include "perdure.labels" .root | nindent 4 }}
spec:
  {{- toYaml $part.disruptionBudget | nindent 2 }}
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{ include "perdure.selector" . | nindent 6 }}
{{- if $part.autoscaling.enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ $name }}
  labels: {{ include "perdure.labels" .root | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ $name }} }
  minReplicas: {{ $part.autoscaling.minReplicas }}
  maxReplicas: {{ $part.autoscaling.maxReplicas }}
  metrics: {{ toYaml $part.autoscaling.metrics | nindent 4 }}
  {{- with $part.autoscaling.behavior }}
  behavior: {{ toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}
