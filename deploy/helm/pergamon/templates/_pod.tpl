{{- define "pergamon.labels" -}}
app.kubernetes.io/name: pergamon
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* Spec of a pod. Takes (dict "root" $ "role" "api") with role empty for the one process. */}}
{{- define "pergamon.pod" -}}
{{- $root := .root -}}
{{- $role := .role -}}
{{- $name := $root.Release.Name -}}
# DRAIN_DELAY_SECONDS and DRAIN_LIMIT_SECONDS, and a little more.
terminationGracePeriodSeconds: {{ if $role }}320{{ else }}30{{ end }}
automountServiceAccountToken: false
{{- with $root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
containers:
  - name: pergamon
    image: "{{ $root.Values.image.repository }}:{{ $root.Values.image.tag | default $root.Chart.AppVersion }}"
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    {{- if $role }}
    env:
      - name: ROLES
        value: {{ $role }}
      - name: POD_IP
        valueFrom: { fieldRef: { fieldPath: status.podIP } }
      - name: NODE_URL
        value: http://$(POD_IP):3100
    {{- end }}
    envFrom:
      - configMapRef: { name: {{ $name }} }
      {{- with $root.Values.existingSecret }}
      - secretRef: { name: {{ . }} }
      {{- end }}
    ports:
      - { name: http, containerPort: 3002 }
      {{- if $role }}
      - { name: nodes, containerPort: 3100 }
      {{- end }}
    startupProbe:
      httpGet: { path: /healthz, port: http }
      periodSeconds: 1
      failureThreshold: 120
    readinessProbe:
      httpGet: { path: /readyz, port: http }
      periodSeconds: 2
      timeoutSeconds: 3
      failureThreshold: 2
    livenessProbe:
      httpGet: { path: /healthz, port: http }
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    resources: {{ toYaml .resources | nindent 6 }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    volumeMounts:
      - { name: data, mountPath: /data }
      - { name: temporary, mountPath: /tmp }
      - { name: memory, mountPath: /dev/shm }
volumes:
  {{- if $role }}
  # Nothing that lasts is here: all of it is in Postgres and S3.
  - name: data
    emptyDir: { sizeLimit: 4Gi }
  {{- end }}
  - name: temporary
    emptyDir: { sizeLimit: 4Gi }
  - name: memory
    emptyDir: { medium: Memory, sizeLimit: 1Gi }
{{- end -}}
