import { z } from 'zod';
import { MAX_SHARDS } from '../domain/buckets.ts';
import { list, ms, port } from './values.ts';

export const OPERATION_SETTINGS = {
  METRICS_PORT: port
    .default(9464)
    .describe(
      'Port on which each process serves `GET /metrics` for Prometheus; the next free one when the default is taken. 0: none.',
    ),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address of the metrics; 0.0.0.0 in a container. They need no credentials: keep the port private.'),
  METRICS_WORKFLOWS: list
    .default([])
    .describe(
      'Slugs of workflows, comma separated, that metrics of executions name in the label `workflow`; all others have an empty one. Absent: no such label.',
    ),
  GAUGES_INTERVAL_MS: ms
    .default(15_000)
    .describe(
      'Minimum pause between two computations of the gauges that need the database. Only one process computes them, and it pauses ten times as long as one computation takes.',
    ),
  DUTY_LEASE_MS: ms
    .default(6_000)
    .describe(
      'Lifetime of the leases by which a worker holds its part of the duties of the reconciler. When a worker dies, others take over its duties after this time.',
    ),
  DUTY_SHARDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_SHARDS)
    .default(16)
    .describe(
      'Shards into which workers divide the workspaces, for each duty of the reconciler: more workers than shards do not shorten a backlog. Every worker needs the same number.',
    ),
};
