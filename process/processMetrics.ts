import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { Metrics } from '../engine/metrics/metrics.ts';
import { type ServedMetrics, serveMetrics } from './serveMetrics.ts';

export async function processMetrics(
  config: Config,
  log: Logger,
): Promise<{ metrics: Metrics; served: ServedMetrics | undefined }> {
  const metrics = new Metrics({ workflows: config.METRICS_WORKFLOWS });
  const isDefault = !process.env.METRICS_PORT;
  const certificate = process.env.TEMPORAL_TLS_CLIENT_CERT_PATH;
  metrics.readAtScrape('perdure_certificate_expiry_seconds', () =>
    certificate ? secondsUntilEnd(certificate, log) : undefined,
  );
  return { metrics, served: await serveMetrics(config, { isDefault, metrics, log }) };
}

/** Read at each scrape, since the certificate may be replaced. */
function secondsUntilEnd(path: string, log: Logger): number | undefined {
  try {
    return (Date.parse(new X509Certificate(readFileSync(path)).validTo) - Date.now()) / 1_000;
  } catch (error) {
    log.warn({ err: error }, 'the certificate of TEMPORAL_TLS_CLIENT_CERT_PATH could not be read');
    return undefined;
  }
}
