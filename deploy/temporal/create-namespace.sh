#!/bin/sh
# Creates the namespace TEMPORAL_NAMESPACE on the server TEMPORAL_ADDRESS, unless it exists. Histories of closed
# executions are kept for NAMESPACE_RETENTION; what Perdure shows of them is in its own database.
set -eu

tries=0
until temporal operator cluster health >/dev/null 2>&1; do
  tries=$((tries + 1))
  if [ "$tries" -ge 60 ]; then
    echo "The Temporal server at $TEMPORAL_ADDRESS is not healthy" >&2
    temporal operator cluster health
    exit 1
  fi
  sleep 1
done

if temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1; then
  echo "Namespace $TEMPORAL_NAMESPACE is there"
else
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "${NAMESPACE_RETENTION:-168h}"
fi
