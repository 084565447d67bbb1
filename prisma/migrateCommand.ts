import { readConfig } from '../config.ts';
import { migrate } from './migrate.ts';

// `npm run migrate`: like `prisma migrate deploy`, without its native engine.
const { DATABASE_URL, DATABASE_LISTEN_URL } = readConfig(process.env);
if (DATABASE_URL === undefined) {
  console.error('Set DATABASE_URL to the database to migrate, e.g. postgresql://user:password@127.0.0.1:5432/perdure');
  process.exit(1);
}
try {
  const applied = await migrate(DATABASE_LISTEN_URL ?? DATABASE_URL);
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
