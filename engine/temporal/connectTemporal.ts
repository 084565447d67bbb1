import { Client } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';
import type { Config } from '../../config.ts';

export interface TemporalParts {
  connection: NativeConnection;
  client: Client;
  namespace: string;
}

/** Connects by the TEMPORAL_* environment, with TLS, API key and profile. Throws if the server does not answer. */
export async function connectTemporal(config: Config): Promise<TemporalParts> {
  const { connectionOptions } = loadClientConnectConfig();
  const address = config.TEMPORAL_ADDRESS ?? connectionOptions.address ?? '127.0.0.1:7233';
  const connection = await NativeConnection.connect({ ...connectionOptions, address }).catch((error: Error) => {
    throw new Error(`the Temporal server at ${address} (TEMPORAL_ADDRESS) was not reached`, { cause: error });
  });
  return partsOf(connection, config);
}

/** Connects to the embedded server on loopback and ignores the environment's settings for another server. */
export async function connectEmbeddedTemporal(address: string, config: Config): Promise<TemporalParts> {
  return partsOf(await NativeConnection.connect({ address }), config);
}

function partsOf(connection: NativeConnection, { TEMPORAL_NAMESPACE: namespace }: Config): TemporalParts {
  return { connection, client: new Client({ connection, namespace }), namespace };
}
