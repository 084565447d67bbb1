import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { generate } from 'selfsigned';
import { readConfig } from '../../config.ts';
import { createLog } from '../../process/log.ts';
import { processMetrics } from '../../process/processMetrics.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { expectAlert, samplesOf } from '../setup/providers/firedAlert.ts';
import { findPrometheusTool } from '../setup/providers/prometheusTools.ts';

const METRIC = 'perdure_certificate_expiry_seconds';
const DAY_MS = 86_400_000;

const promtool = await findPrometheusTool('promtool');

async function certificate(days: number): Promise<string> {
  const { cert } = await generate([{ name: 'commonName', value: 'perdure' }], {
    notAfterDate: new Date(Date.now() + days * DAY_MS),
  });
  return cert;
}

(promtool ? test : test.skip)(
  'a certificate that ends in five days fires the alert by what a process serves, and one in its place ends it',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'perdure-certificate-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'tls.crt');
    writeFileSync(file, await certificate(5));
    process.env.TEMPORAL_TLS_CLIENT_CERT_PATH = file;
    onTestFinished(() => {
      delete process.env.TEMPORAL_TLS_CLIENT_CERT_PATH;
    });
    const { served } = await processMetrics(readConfig({}), createLog('silent'));
    if (served === undefined) throw new Error('no metrics are served');
    onTestFinished(() => served.stop());
    const scraped = async () => {
      const [sample] = samplesOf(await (await fetch(served.url)).text(), METRIC);
      if (sample === undefined) throw new Error(`there is no ${METRIC}`);
      return sample;
    };
    const judged = async (fires: boolean) => {
      const { series, value } = await scraped();
      const values = `${Math.round(value)}-60x80`;
      await expectAlert(promtool as string, {
        ...{ alert: 'PerdureCertificateEnds', scraped: [{ series, values }], at: '70m', fires },
      });
      return value;
    };
    expect(Math.round(((await judged(true)) * 1_000) / DAY_MS)).toBe(5);
    writeFileSync(file, await certificate(60));
    expect(Math.round(((await judged(false)) * 1_000) / DAY_MS)).toBe(60);
    await expect(
      expectAlert(promtool as string, {
        ...{ alert: 'PerdureCertificateEnds', scraped: [{ series: METRIC, values: '5184000x80' }], at: '70m' },
        fires: true,
      }),
    ).rejects.toThrow('PerdureCertificateEnds');
  },
);
