import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type pg from 'pg';

export async function authenticate(pool: pg.Pool, request: Request): Promise<string> {
  const hash = createHash('sha256')
    .update(request.get('x-api-key') ?? '')
    .digest();
  const { rows } = await pool.query(
    'SELECT workspace_id FROM api_keys WHERE key_hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())',
    [hash],
  );
  if (rows.length === 0) throw new Error('the API key is unknown');
  return rows[0].workspace_id;
}
