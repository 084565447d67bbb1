import { stringify } from 'yaml';

export interface TemporalPorts {
  frontend: number;
  http: number;
  history: number;
  matching: number;
  worker: number;
  membership: { frontend: number; history: number; matching: number; worker: number };
}

/** The image's configuration for docker-compose.yml's environment, but with other ports and on loopback only. */
export function temporalConfig(environment: Record<string, string>, ports: TemporalPorts, dynamicConfig: string) {
  const store = (databaseName: string | undefined, maxConns: number) => ({
    sql: {
      pluginName: environment.DB,
      databaseName,
      connectAddr: `${environment.POSTGRES_SEEDS}:${environment.DB_PORT}`,
      connectProtocol: 'tcp',
      user: environment.POSTGRES_USER,
      password: environment.POSTGRES_PWD,
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  });
  const service = (name: keyof TemporalPorts['membership'], more: object = {}) => ({
    rpc: { grpcPort: ports[name], membershipPort: ports.membership[name], bindOnLocalHost: true, ...more },
  });
  return stringify({
    log: { stdout: true, level: environment.LOG_LEVEL },
    persistence: {
      numHistoryShards: Number(environment.NUM_HISTORY_SHARDS),
      defaultStore: 'default',
      visibilityStore: 'visibility',
      datastores: {
        default: store(environment.DBNAME, 20),
        visibility: store(environment.VISIBILITY_DBNAME, 10),
      },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: {
      frontend: service('frontend', { httpPort: ports.http }),
      history: service('history'),
      matching: service('matching'),
      worker: service('worker'),
    },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `127.0.0.1:${ports.frontend}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    archival: { history: { state: 'disabled' }, visibility: { state: 'disabled' } },
    namespaceDefaults: { archival: { history: { state: 'disabled' }, visibility: { state: 'disabled' } } },
    dynamicConfigClient: { filepath: dynamicConfig, pollInterval: '60s' },
  });
}
